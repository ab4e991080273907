import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = { from: string; to: string[]; at: number; raw: string; mail: Email };

export type MailServer = {
  url: string;
  port: number;
  received: ReceivedMail[];
  /** User and password of everybody who tried to sign in. */
  signedIn: string[];
  /** Answers to recipients; `undefined` takes them. */
  answer: (address: string) => { code: number; text: string } | undefined;
  /** Waited for between a mail and the answer to it. */
  hold: () => Promise<void>;
  stop(): Promise<void>;
};

type MailServerOptions = {
  /** Brings one back where it was. */
  port?: number;
  /** Takes mail only from who signs in with it. */
  password?: string;
  /** TLS from the first byte, by a certificate that nobody vouches for. */
  isSecure?: boolean;
};

/** A mail server on this machine. */
export async function startMailServer({
  port = 0,
  password,
  isSecure = false,
}: MailServerOptions = {}): Promise<MailServer> {
  const smtp = new SMTPServer({
    secure: isSecure,
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: password === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    logger: false,
    onAuth(auth, _session, done) {
      server.signedIn.push(`${auth.username}:${auth.password}`);
      done(null, auth.password === password ? { user: auth.username } : {});
    },
    onRcptTo({ address }, _session, done) {
      const answer = server.answer(address);
      done(answer && Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      void receive(stream, { from, to }, done);
    },
  });
  async function receive(
    stream: Readable,
    envelope: { from: string; to: string[] },
    done: (error?: Error | null) => void,
  ): Promise<void> {
    try {
      const raw = await buffer(stream);
      server.received.push({
        ...envelope,
        at: Date.now(),
        raw: raw.toString('utf8'),
        mail: await PostalMime.parse(raw),
      });
      await server.hold();
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }
  // Clients that hang up while they look at a certificate.
  smtp.on('error', () => {});
  smtp.listen(port, '127.0.0.1');
  await once(smtp.server, 'listening');
  const address = smtp.server.address() as AddressInfo;
  const server: MailServer = {
    url: `${isSecure ? 'smtps' : 'smtp'}://127.0.0.1:${address.port}`,
    port: address.port,
    received: [],
    signedIn: [],
    answer: () => undefined,
    hold: async () => {},
    stop: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
  return server;
}
