import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isAllowRule } from '../lib/address-guard.ts';
import { parseMailbox } from '../lib/mailbox.ts';
import { nearestName } from '../lib/nearest-name.ts';
import { parseStorageUrl } from '../lib/storage-url.ts';
import { halfConfiguredProvider, loopbackHosts, neededByProvider, sendsPasswordsUnseen } from './sign-in.ts';

const text = z.string().trim().min(1);
/** Kept as text: money is never computed in floating point. */
const price = z
  .string()
  .trim()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'Expected a price such as 0.006');
const optionalList = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .optional();
const list = optionalList.unwrap().prefault('');
/** `key=value,key=value`, with URL-encoded values (OpenTelemetry, environment variables of the exporter). */
const pairs = list.transform((items, context) => {
  const read = items.map(readPair);
  for (const [index, pair] of read.entries()) {
    if (typeof pair === 'string') context.addIssue({ code: 'custom', message: pair, path: [index] });
  }
  return Object.fromEntries(read.filter((pair) => typeof pair !== 'string'));
});

/** The pair, or the error message. */
function readPair(item: string): [key: string, value: string] | string {
  const [, key, value = ''] = /^([\w-]+)\s*=\s*(.*)$/.exec(item) ?? [];
  if (key === undefined) return 'Expected key=value, separated by commas';
  try {
    return [key, decodeURIComponent(value)];
  } catch {
    return 'has a % in its value that encodes nothing: write %25';
  }
}

const origin = z
  .string()
  .refine(
    (value) => URL.canParse(value) && new URL(value).origin === value,
    'is not an origin, such as https://app.example.com',
  );
const network = z
  .string()
  .refine((value) => ipaddr.isValid(value) || ipaddr.isValidCIDR(value), 'is neither an address nor a network (CIDR)');

const allowRule = z
  .string()
  .refine(isAllowRule, 'is neither an address, a network (CIDR), a host name nor *. and a domain');

const storageUrl = z.string().transform((value, context) => {
  try {
    return parseStorageUrl(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
});

/** The environment, in the order of `.env.example`. An empty variable counts as unset. */
export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().min(0).max(120).default(0),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  STORAGE_URL: storageUrl.optional(),
  AWS_REGION: text.optional(),
  AWS_ACCESS_KEY_ID: text.optional(),
  AWS_SECRET_ACCESS_KEY: text.optional(),
  AWS_SESSION_TOKEN: text.optional(),
  S3_PRESIGNED_PLAYBACK: z.stringbool().default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_TOKEN: z.string().trim().min(16, 'Expected at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_SERVICE_NAME: text.default('earshot'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  CORS_ORIGINS: list.pipe(z.array(origin)),
  TRUSTED_PROXIES: list.pipe(z.array(network)),
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).max(10_000_000).default(200),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_AUDIENCE: optionalList,
  OIDC_CLIENT_ID: optionalList,
  OIDC_SCOPE: text.default('openid profile email offline_access'),
  OIDC_EMBEDDED: z.stringbool().default(false),
  BITRIX24_CLIENT_ID: optionalList,
  BITRIX24_CLIENT_SECRET: optionalList,
  BITRIX24_OAUTH_URL: z.url({ protocol: /^https?$/ }).default('https://oauth.bitrix24.tech'),
  SECRETS_KEY: optionalList.pipe(z.array(z.string().min(32, 'needs 32 characters or more')).optional()),
  PIPELINE_ENGINE: z.enum(['embedded', 'inngest']).default('embedded'),
  PIPELINE_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(8),
  PIPELINE_WORKERS: z.coerce.number().int().min(1).max(1000).default(1),
  INNGEST_DEV: z.stringbool().default(false),
  INNGEST_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  INNGEST_EVENT_KEY: text.optional(),
  INNGEST_SIGNING_KEY: text.optional(),
  INNGEST_SIGNING_KEY_FALLBACK: text.optional(),
  SCORING_PROCESSES: z.coerce.number().int().min(3).max(64).optional(),
  SCORING_SECONDS_MAX: z.coerce.number().min(1).max(3600).default(60),
  SCORING_MEMORY_MAX_MB: z.coerce.number().int().min(128).max(16_384).default(1024),
  SPEECH_ENGINE: z.enum(['auto', 'local', 'pocketsphinx', 'openai', 'deepgram']).default('auto'),
  SPEECH_MODEL: text.optional(),
  SPEECH_PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  SPEECH_MEMORY_MAX_MB: z.coerce.number().int().min(1024).max(1_000_000).default(4096),
  MODELS_URL: z.url({ protocol: /^https?$/ }).optional(),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DEEPGRAM_API_KEY: text.optional(),
  DEEPGRAM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  AUDIO_DURATION_MAX_MINUTES: z.coerce.number().positive().default(240),
  ANALYSIS_ENGINE: z.enum(['rules', 'model']).default('rules'),
  ANALYSIS_MODEL: text.optional(),
  ANTHROPIC_API_KEY: text.optional(),
  ANTHROPIC_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  ANALYSIS_WINDOW_TOKENS: z.coerce.number().int().min(500).max(1_000_000).default(16_000),
  ANALYSIS_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3600).default(120),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: text
    .refine((value) => parseMailbox(value) !== null, 'is not an address, such as Earshot <calls@example.com>')
    .optional(),
  PRICE_TRANSCRIPTION_PER_MINUTE: price.default('0.006'),
  PRICE_ANALYSIS_PER_RECORD: price.default('0.01'),
  ANALYSIS_PRICE_INPUT_PER_MILLION: price.default('0'),
  ANALYSIS_PRICE_OUTPUT_PER_MILLION: price.default('0'),
  OUTBOUND_ALLOW: list.pipe(z.array(allowRule)),
});

export type Config = z.infer<typeof Environment>;

/** With one in three, PORT would match Postgres' PGPORT. */
const lettersPerMistake = 4;

/**
 * Warns of each variable whose name nearly matches a setting. Other names belong to other programs: an environment is
 * shared, so none can be refused.
 */
export function findMisspelt(env: Record<string, string | undefined> = process.env): string[] {
  const known = Object.keys(Environment.shape);
  return Object.entries(env).flatMap(([name, value]) => {
    const meant = value?.trim() && !known.includes(name) ? nearestName(name, known, lettersPerMistake) : undefined;
    return meant === undefined ? [] : [`${name} is not a setting of Earshot and has no effect. Did you mean ${meant}?`];
  });
}

/** Reads the environment once. Throws one error that lists every mistake without repeating values: some are secrets. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  const mistakes = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  mistakes.push(...missingCompanions(given), ...unsafeChoices(given));
  if (parsed.success && mistakes.length === 0) return parsed.data;
  mistakes.push(...findMisspelt(given));
  throw new Error(`The configuration is not valid:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
}

/**
 * The address at which users reach the service. Without PUBLIC_URL that is this machine, at the port that it really
 * listens on.
 */
export function baseUrlOf({ PUBLIC_URL, HOST, PORT }: Config, port: number = PORT): string {
  return PUBLIC_URL ?? `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${port}`;
}

/** Where the embedded provider is reached: the origin of its issuer, of its cookies and of the links that it makes. */
export function signInOriginOf(config: Config, port: number = config.PORT): string {
  return new URL(baseUrlOf(config, port)).origin;
}

/** For the demo: anybody on this machine may sign in, unless configured otherwise or reachable from other machines. */
export function loadDemoConfig(): Config {
  const { HOST = '', NODE_ENV } = process.env;
  const isOwnMachine = NODE_ENV !== 'production' && (HOST === '' || loopbackHosts.has(HOST));
  return loadConfig({ ...(isOwnMachine && { OIDC_EMBEDDED: '1' }), ...process.env });
}

/** Settings that other settings require. Reads the raw text, so that these mistakes are listed with all others. */
function missingCompanions(given: Record<string, string | undefined>): string[] {
  const needed: [name: string, why: string][] = [];
  if (given.SPEECH_ENGINE === 'deepgram') needed.push(['DEEPGRAM_API_KEY', 'with SPEECH_ENGINE=deepgram']);
  if (given.SPEECH_ENGINE === 'openai' && !given.OPENAI_BASE_URL) {
    needed.push(['OPENAI_API_KEY', 'with SPEECH_ENGINE=openai']);
  }
  needed.push(...neededByModel(given));
  needed.push(...neededByProvider(given));
  if (given.SMTP_URL) needed.push(['MAIL_FROM', 'with SMTP_URL: who the mails are from']);
  if (given.AWS_ACCESS_KEY_ID) needed.push(['AWS_SECRET_ACCESS_KEY', 'with AWS_ACCESS_KEY_ID']);
  if (given.AWS_SECRET_ACCESS_KEY) needed.push(['AWS_ACCESS_KEY_ID', 'with AWS_SECRET_ACCESS_KEY']);
  if (Environment.shape.S3_PRESIGNED_PLAYBACK.safeParse(given.S3_PRESIGNED_PLAYBACK).data === true) {
    needed.push(['STORAGE_URL', 'with S3_PRESIGNED_PLAYBACK: files of this machine have no address']);
  }
  const address = Environment.shape.STORAGE_URL.safeParse(given.STORAGE_URL).data;
  if (address && !address.region && !address.endpoint) {
    needed.push(['AWS_REGION', 'with STORAGE_URL, unless that names a region or an endpoint']);
  }
  if (given.DATABASE_URL && given.NODE_ENV === 'production') {
    needed.push(['SECRETS_KEY', 'with DATABASE_URL in production: every instance has to open what one has sealed']);
  }
  if (given.PIPELINE_ENGINE === 'inngest' && !isOn(given, 'INNGEST_DEV')) {
    const why = 'with PIPELINE_ENGINE=inngest (or set INNGEST_DEV=1 for a dev server)';
    needed.push(['INNGEST_SIGNING_KEY', why], ['INNGEST_EVENT_KEY', why]);
  }
  return needed.flatMap(([name, why]) => (given[name] ? [] : [`${name}: is required ${why}`]));
}

/** Settings that the language model of `ANALYSIS_MODEL` requires. */
function neededByModel(given: Record<string, string | undefined>): [name: string, why: string][] {
  const { ANALYSIS_ENGINE, ANALYSIS_MODEL, ANTHROPIC_BASE_URL, OPENAI_BASE_URL } = given;
  if (ANALYSIS_ENGINE !== 'model') return [];
  if (!ANALYSIS_MODEL) return [['ANALYSIS_MODEL', 'with ANALYSIS_ENGINE=model']];
  if (ANALYSIS_MODEL.startsWith('anthropic:')) {
    return ANTHROPIC_BASE_URL ? [] : [['ANTHROPIC_API_KEY', 'with ANALYSIS_MODEL=anthropic:…']];
  }
  if (OPENAI_BASE_URL) return [];
  if (ANALYSIS_MODEL.startsWith('openai:')) return [['OPENAI_API_KEY', 'with ANALYSIS_MODEL=openai:…']];
  return [['OPENAI_BASE_URL', 'with an ANALYSIS_MODEL that is neither openai:… nor anthropic:…']];
}

/** Settings that are fine on your own machine only. */
function unsafeChoices(given: Record<string, string | undefined>): string[] {
  const { NODE_ENV, HOST = '127.0.0.1' } = given;
  const isProduction = NODE_ENV === 'production';
  const mistakes: string[] = [];
  for (const [name, danger] of Object.entries(developmentSwitches)) {
    if (!isOn(given, name as DevelopmentSwitch)) continue;
    if (isProduction) mistakes.push(`${name}: ${danger}, so not in production`);
    else if (!loopbackHosts.has(HOST)) mistakes.push(`${name}: needs HOST to be 127.0.0.1, since it ${danger}`);
  }
  if (isOn(given, 'OIDC_EMBEDDED') && !isProduction && itemsIn(given.TRUSTED_PROXIES) > 0) {
    mistakes.push(
      'OIDC_EMBEDDED: cannot be combined with TRUSTED_PROXIES, since clients behind a proxy are not on this machine',
    );
  }
  if (given.BITRIX24_CLIENT_SECRET && itemsIn(given.BITRIX24_CLIENT_SECRET) !== itemsIn(given.BITRIX24_CLIENT_ID)) {
    mistakes.push('BITRIX24_CLIENT_SECRET: needs one for each BITRIX24_CLIENT_ID, in the same order');
  }
  if (holdsEverything(given.TRUSTED_PROXIES)) {
    mistakes.push('TRUSTED_PROXIES: trusts everybody, so anybody could send requests in the name of any address');
  }
  if (!isOn(given, 'OIDC_EMBEDDED')) mistakes.push(...halfConfiguredProvider(given));
  return isProduction ? [...mistakes, ...unsafeInProduction(given)] : mistakes;
}

type DevelopmentSwitch = 'OIDC_EMBEDDED' | 'INNGEST_DEV';

const developmentSwitches: Record<DevelopmentSwitch, string> = {
  OIDC_EMBEDDED: 'lets anybody sign in as anybody',
  INNGEST_DEV: 'takes orders from anybody, unsigned',
};

function isOn(given: Record<string, string | undefined>, name: DevelopmentSwitch): boolean {
  return Environment.shape[name].safeParse(given[name]).data === true;
}

/** These vouch for users: anybody between could impersonate them. */
const httpsInProduction = ['OIDC_ISSUER', 'OIDC_JWKS_URL', 'BITRIX24_OAUTH_URL'];

function unsafeInProduction(given: Record<string, string | undefined>): string[] {
  const mistakes = httpsInProduction
    .filter((name) => /^\s*http:/i.test(given[name] ?? ''))
    .map((name) => `${name}: must be https in production`);
  if (holdsEverything(given.OUTBOUND_ALLOW)) {
    mistakes.push('OUTBOUND_ALLOW: opens every private network to users, so not in production');
  }
  mistakes.push(...sendsPasswordsUnseen(given));
  if (given.PIPELINE_ENGINE !== 'inngest') return mistakes;
  for (const name of ['INNGEST_SIGNING_KEY', 'INNGEST_SIGNING_KEY_FALLBACK']) {
    const secret = given[name]?.trim().replace(/^signkey-\w+-/, '');
    if (secret === undefined) continue;
    if (secret.length < 16) mistakes.push(`${name}: can be guessed; take 32 characters or more`);
    if (secret === printedSigningKey) mistakes.push(`${name}: is the published example key; use your own`);
  }
  return mistakes;
}

/** The default in compose.yaml. */
const printedSigningKey = 'fedcba9876543210fedcba9876543210';

function holdsEverything(networks: string | undefined): boolean {
  return (optionalList.parse(networks) ?? []).some((network) => /\/0+$/.test(network));
}

function itemsIn(text: string | undefined): number {
  return optionalList.parse(text)?.length ?? 0;
}
