import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Permission } from '../auth/permissions.ts';
import type { Actor, Principal } from '../auth/principal.ts';
import type { Services } from '../deps.ts';
import type { RequestContext } from '../domain/context.ts';
import { hasGivenWay, isDatabaseDown, isEndedByServer, isOutOfResources } from '../db/failures.ts';
import type { Database } from '../db/scope.ts';
import { detailsOf } from '../lib/details.ts';
import { useReadableMessages } from '../lib/messages.ts';
import { AppError, errorTable, type ErrorCode, type ErrorDetail } from '../lib/errors.ts';
import type { OperationExamples } from './examples.ts';
import { transformer } from './transformer.ts';

useReadableMessages();

export type Context = {
  services: Services;
  headers: Record<string, string | string[] | undefined>;
  /** Who sent the request; looked up once. Throws 401. */
  authenticate(): Promise<Principal>;
  /** The sender as a member of the selected organization. Throws 401, 400 or 403. */
  authorize(permission: Permission): Promise<Actor>;
  /**
   * Runs `work` as the sender. A read may run twice, if the credential turns out to have changed since it was cached.
   */
  acting<T>(permission: Permission, work: (org: RequestContext) => Promise<T>): Promise<T>;
  /** The same request on another database handle, such as part of a transaction. */
  on(db: Database): Context;
  /** What a procedure may change in its REST answer: another success status, further headers. */
  reply: { status?: number; headers: Record<string, string> };
};

/** A query as a tool for assistants. Its schemas and its permission are those of the other surfaces. */
export type ToolMeta = {
  /** For people, in their assistant's list of tools. */
  title: string;
  /** For assistants. Not needed where the REST address is described. */
  description?: string;
  /** Fields of the answer, or of the items of a list, that are too long for an assistant. */
  without?: readonly string[];
  /** Fields with telephone numbers, which are masked for everybody, as in lists. */
  masked?: readonly string[];
};

/** What is declared of a procedure, wherever it can be called. */
export type Facts = {
  permission?: Permission;
  isPersonal?: boolean;
  /** Offers a query to assistants over MCP. */
  mcp?: ToolMeta;
  /** Dates (`2026-01-31`): deprecated since, and switched off at; at least a year apart. */
  deprecation?: { since: string; sunset: string };
  /** The answer holds a secret that is shown once, so it is not stored for repeated requests. */
  showsSecret?: boolean;
  /**
   * A POST that only needs its body and changes nothing: it may run twice, so an `Idempotency-Key` holds no
   * transaction.
   */
  changesNothing?: boolean;
  successStatus?: 200 | 201 | 202 | 204;
  /** The address that reads what the operation changes, if it is not the operation's own: `If-Match` holds its tag. */
  changes?: `/${string}`;
  /** The collection in which a 201 created something, if it is not the request's own path. */
  location?: string;
};

/** Of what has an address over REST: the document shows an example of every body. */
export type RestMeta = Facts & { openapi: NonNullable<OpenApiMeta['openapi']>; examples: OperationExamples };

export type ProcedureMeta = RestMeta | (Facts & { openapi?: undefined; examples?: undefined });

export const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    transformer,
    isDev: false,
    errorFormatter({ shape, error }) {
      const { message, ...rest } = toPublicError(error);
      return {
        ...shape,
        message,
        data: { httpStatus: rest.status, path: shape.data.path, code: rest.code, details: rest.details },
      };
    },
  });

export type PublicError = {
  status: number;
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[] | undefined;
  headers?: Record<string, string> | undefined;
};

/** What a client may learn about any error that a procedure threw. Unknown errors are 500, never 400. */
export function toPublicError(thrown: unknown): PublicError {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof AppError) {
    const { status, code, message, details, headers } = error;
    return { status, code, message, details, headers };
  }
  if (error instanceof z.ZodError && thrown instanceof TRPCError && thrown.code === 'BAD_REQUEST') {
    return fromCode('VALIDATION_ERROR', 'The request is not valid.', detailsOf(error));
  }
  const outage = outageOf(error);
  if (outage) {
    return { ...fromCode('SERVICE_UNAVAILABLE', outage.message), headers: { 'Retry-After': outage.retryAfterSeconds } };
  }
  // tRPC uses these codes only for input that it could not read, with the parser's error as the cause.
  if (thrown instanceof TRPCError && (thrown.code === 'PARSE_ERROR' || thrown.code === 'BAD_REQUEST')) {
    const message = thrown.cause ? 'The input is not valid JSON.' : thrown.message;
    return fromCode('VALIDATION_ERROR', message, [{ path: 'input', message }]);
  }
  if (error instanceof TRPCError) {
    const code = (Object.keys(errorTable) as ErrorCode[]).find((key) => errorTable[key].trpc === error.code);
    if (code && code !== 'INTERNAL_ERROR') return fromCode(code, error.message);
  }
  return fromCode('INTERNAL_ERROR', 'Something went wrong on our side. Quote the request id when you report it.');
}

/** What the database is short of at the moment. The public message has no details; the log has the code. */
function outageOf(error: unknown): { message: string; retryAfterSeconds: string } | null {
  if (isDatabaseDown(error)) {
    return { message: 'The database cannot be reached. Try again shortly.', retryAfterSeconds: '5' };
  }
  if (isOutOfResources(error)) {
    return { message: 'The database is full at the moment. Try again later.', retryAfterSeconds: '30' };
  }
  if (hasGivenWay(error)) {
    return {
      message: 'Somebody else is changing the same data at this moment. Try again shortly.',
      retryAfterSeconds: '1',
    };
  }
  if (isEndedByServer(error)) {
    return { message: 'The database took too long for this. Try again shortly.', retryAfterSeconds: '5' };
  }
  return null;
}

/** Carries an AppError through tRPC with the status that it has over REST. */
export function toTrpcError(thrown: unknown): TRPCError {
  if (!(thrown instanceof AppError)) return getTRPCErrorFromUnknown(thrown);
  return new TRPCError({ code: errorTable[thrown.code].trpc, message: thrown.message, cause: thrown });
}

function fromCode(code: ErrorCode, message: string, details?: ErrorDetail[]): PublicError {
  return { status: errorTable[code].status, code, message, details };
}
