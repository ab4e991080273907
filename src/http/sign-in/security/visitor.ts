import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client, PasskeySite, SecondFactors } from '../../../domain/accounts/service.ts';

/** Who manages how they sign in, and the session or sign-in in which they do. */
export type Visitor = {
  userId: string;
  email: string;
  name: string;
  client: Client;
  /** What challenges belong to. */
  scope: string;
  csrfToken: string;
  /** The address of the page. */
  base: string;
  /** Where to go once a second factor is set up. */
  next: string;
};

export type SecurityOptions = {
  factors: SecondFactors;
  /** Null where browsers make no passkeys. */
  site: () => PasskeySite | null;
  /** Null after it has answered by itself, such as by a redirect to the sign-in page. */
  visitorOf: (req: FastifyRequest, reply: FastifyReply) => Promise<Visitor | null>;
  origin: () => string;
  send: (reply: FastifyReply, page: { title: string; body: string }) => FastifyReply;
  /** Called once a passkey or an app was added. */
  whenSetUp: (req: FastifyRequest, reply: FastifyReply) => Promise<void>;
};
