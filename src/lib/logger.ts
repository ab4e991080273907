import { pino, type Logger } from 'pino';
import { describeError } from './error-log.ts';

export type { Logger };

/** Paths in log entries that may hold credentials or personal data. */
const redacted = [
  'req.headers.authorization',
  'req.headers.cookie',
  'headers.authorization',
  'headers.cookie',
  // @fastify/multipart logs what it gives to its parser.
  '*.headers.authorization',
  '*.headers.cookie',
  'authorization',
  'token',
  'password',
  'customerPhone',
  '*.customerPhone',
  '*.token',
  '*.authorization',
];

export function createLogger(level: string, destination?: NodeJS.WritableStream): Logger {
  const options = {
    level,
    redact: { paths: redacted, censor: '[redacted]' },
    serializers: { err: describeError },
    base: undefined,
  };
  return destination ? pino(options, destination) : pino(options);
}
