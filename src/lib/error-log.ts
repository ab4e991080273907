const causesMax = 5;

export type LoggedError = {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  [field: string]: unknown;
};

/** Error fields that name parts of the program and never hold user input. */
const safeFields = [
  'code',
  'status',
  'statusCode',
  'errno',
  'syscall',
  'address',
  'port',
  'internal',
  'severity',
  'schema_name',
  'table_name',
  'column_name',
  'constraint_name',
  'routine',
];

/**
 * What the log keeps of an error: where it happened and which rule it broke. Values of a failed statement are left out:
 * drizzle writes them into its message, Postgres into its detail, and both into the stack.
 */
export function describeError(error: unknown): unknown {
  return error instanceof Error ? describe(error, 0) : error;
}

function describe(error: Error, depth: number): LoggedError {
  const message = safeMessage(error);
  const described: LoggedError = { type: error.name, message };
  const fields = error as unknown as Record<string, unknown>;
  for (const field of safeFields) {
    const value = fields[field];
    if (typeof value === 'string' || typeof value === 'number') described[field] = value;
  }
  const frames = framesOf(error);
  if (frames) described.stack = `${error.name}: ${message}\n${frames}`;
  if (error.cause instanceof Error && depth < causesMax) described.cause = describe(error.cause, depth + 1);
  return described;
}

function safeMessage({ name, message }: Error): string {
  if (name === 'PostgresError') return withoutValues(message);
  // Fastify quotes addresses that it cannot parse, and JSON.parse the text around a mistake. Fastify's codes say as
  // much.
  if (name === 'FastifyError') return message.replace(/'.*'/s, '[redacted]');
  return name === 'SyntaxError' ? message.replace(/['"].*['"]/s, '[redacted]') : withoutParameters(message);
}

/**
 * drizzle: `Failed query: select …
 * params: a,b,c`, and errors that quote this message.
 */
function withoutParameters(message: string): string {
  return message.replace(/\nparams: .*/s, '\nparams: [redacted]');
}

/**
 * Postgres quotes the value that it rejects: `invalid input syntax for type date: "…"`, `value "…" is out of range`.
 */
function withoutValues(message: string): string {
  return message.replace(/(: |\bvalue )".*"/s, '$1[redacted]');
}

/** The frames at the end of a stack, without the message above them. */
export function framesOf({ stack = '', message }: Error): string {
  const start = stack.indexOf(message);
  const lines = (start < 0 ? stack : stack.slice(start + message.length)).split('\n');
  const last = lines.findLastIndex((line) => !/^ +at /.test(line));
  return lines.slice(last + 1).join('\n');
}
