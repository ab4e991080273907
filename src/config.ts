import { z } from 'zod';

const text = z.string().trim().min(1);
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

/** The environment, in the order of `.env.example`. An empty variable counts as unset. */
const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  PIPELINE_ENGINE: z.enum(['embedded', 'inngest']).default('embedded'),
  PIPELINE_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(8),
  INNGEST_DEV: z.stringbool().default(false),
  INNGEST_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  INNGEST_EVENT_KEY: text.optional(),
  INNGEST_SIGNING_KEY: text.optional(),
  SPEECH_ENGINE: z.enum(['auto', 'pocketsphinx', 'openai', 'deepgram']).default('auto'),
  SPEECH_MODEL: text.optional(),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DEEPGRAM_API_KEY: text.optional(),
  DEEPGRAM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  AUDIO_DURATION_MAX_MINUTES: z.coerce.number().positive().default(240),
  OUTBOUND_ALLOW: list,
});

export type Config = z.infer<typeof Environment>;

/** Reads the environment once. Throws one error that lists every mistake, and repeats no value: some are secrets. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  const mistakes = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  mistakes.push(...missingCompanions(given));
  if (parsed.success && mistakes.length === 0) return parsed.data;
  throw new Error(`The configuration is not valid:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
}

/** What a choice makes necessary. Read from the raw text, so that it is told beside mistakes of any other kind. */
function missingCompanions(given: Record<string, string | undefined>): string[] {
  const needed: [name: string, why: string][] = [];
  if (given.SPEECH_ENGINE === 'deepgram') needed.push(['DEEPGRAM_API_KEY', 'with SPEECH_ENGINE=deepgram']);
  if (given.SPEECH_ENGINE === 'openai' && !given.OPENAI_BASE_URL) {
    needed.push(['OPENAI_API_KEY', 'with SPEECH_ENGINE=openai']);
  }
  const isDevServer = Environment.shape.INNGEST_DEV.safeParse(given.INNGEST_DEV).data === true;
  if (given.PIPELINE_ENGINE === 'inngest' && !isDevServer) {
    const why = 'with PIPELINE_ENGINE=inngest (or set INNGEST_DEV=1 for a dev server)';
    needed.push(['INNGEST_SIGNING_KEY', why], ['INNGEST_EVENT_KEY', why]);
  }
  return needed.flatMap(([name, why]) => (given[name] ? [] : [`${name}: is required ${why}`]));
}
