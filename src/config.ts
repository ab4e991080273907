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
const Environment = z
  .object({
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
  })
  .superRefine((env, ctx) => {
    const require = (name: keyof typeof env, why: string) => {
      if (!env[name]) ctx.addIssue({ code: 'custom', path: [name], message: `is required ${why}` });
    };
    if (env.SPEECH_ENGINE === 'deepgram') require('DEEPGRAM_API_KEY', 'with SPEECH_ENGINE=deepgram');
    if (env.SPEECH_ENGINE === 'openai' && !env.OPENAI_BASE_URL) require('OPENAI_API_KEY', 'with SPEECH_ENGINE=openai');
    if (env.PIPELINE_ENGINE === 'inngest' && !env.INNGEST_DEV) {
      require('INNGEST_SIGNING_KEY', 'with PIPELINE_ENGINE=inngest (or set INNGEST_DEV=1 for a dev server)');
      require('INNGEST_EVENT_KEY', 'with PIPELINE_ENGINE=inngest (or set INNGEST_DEV=1 for a dev server)');
    }
  });

export type Config = z.infer<typeof Environment>;

/** Reads the environment once. Throws one error that lists every mistake. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is not valid:\n${mistakes.join('\n')}`);
}
