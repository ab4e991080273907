import path from 'node:path';
import type { Sql } from 'postgres';
import { createAuthenticator, type Authenticator } from './auth/authenticate.ts';
import { findMember } from './auth/member.ts';
import type { PlaybackTickets } from './auth/playback-ticket.ts';
import type { Member } from './auth/principal.ts';
import { createSessionTokens, type SessionTokens } from './auth/session.ts';
import type { Config } from './config/config.ts';
import { signInModeOf } from './config/sign-in.ts';
import type { Connections } from './db/client.ts';
import type { Database } from './db/scope.ts';
import type { Directory, InviteLinks } from './domain/context.ts';
import type { HeavyWork } from './domain/heavy-work.ts';
import { reportTrouble } from './doctor/doctor.ts';
import type { HeavyWorkPool } from './heavy-work/pool.ts';
import { createEmbeddedSessions, type EmbeddedSessions } from './domain/embedded/service.ts';
import {
  createCrmAccess,
  createEventReceiver,
  createInstallations,
  type Installations,
  type ReceiveEvent,
} from './domain/portals/service.ts';
import { createAccounts, makeInviteLink, type Accounts } from './domain/accounts/service.ts';
import { createSecondFactors, type SecondFactors } from './domain/accounts/service.ts';
import { createMatches, type Matches } from './domain/matches/service.ts';
import { createDirectory } from './domain/orgs/service.ts';
import { pricesOf, type Prices } from './domain/billing/service.ts';
import { createAddressGuard, type AddressGuard } from './lib/address-guard.ts';
import type { Logger } from './lib/logger.ts';
import type { SecretBox } from './lib/secret-box.ts';
import { startTracing } from './lib/tracing.ts';
import { version } from './lib/version.ts';
import { removeAbandonedFolders, workRoot } from './lib/work-folder.ts';
import { createMeasure } from './pipeline/measure.ts';
import type { PipelineDeps } from './pipeline/dependencies.ts';
import { createPipeline, type Pipeline } from './pipeline/assembly/pipeline.ts';
import { createBitrix24, type Bitrix24 } from './providers/crm/bitrix24.ts';
import { audioLimits } from './providers/audio/limits.ts';
import type { Mailer } from './providers/mail/interface.ts';
import { createMailer } from './providers/mail/select.ts';
import type { Analyst } from './providers/analysis/interface.ts';
import { selectAnalyst } from './providers/analysis/select.ts';
import type { ObjectStorage } from './providers/object-storage/interface.ts';
import { withBreaker } from './providers/object-storage/breaker.ts';
import { createTranscriber, type Transcriber } from './providers/speech/select.ts';
import { openDatabase } from './setup/open-database.ts';
import { openStorage } from './setup/open-storage.ts';
import { openHeavyWork } from './setup/open-heavy-work.ts';
import { openPlaybackTickets, openSecretBox, resealSecrets } from './setup/secrets.ts';
import { speechSettingsOf } from './setup/speech-settings.ts';
import { assignRoles } from './scoring/roles/voices.ts';

/** What request handlers use. */
export type Services = {
  auth: Authenticator;
  sessions: SessionTokens;
  accounts: Accounts;
  factors: SecondFactors;
  inviteLinks: InviteLinks;
  matches: Matches;
  embedded: EmbeddedSessions;
  /** The application in CRM portals, and the events of portals. */
  installations: Installations;
  receiveEvent: ReceiveEvent;
  directory: Directory;
  tickets: PlaybackTickets;
  /** The user's current membership; null if they are no member. */
  findMember(ids: { orgId: string; userId: string }): Promise<Member | null>;
  db: Database;
  prices: Prices;
  /** Where users may make the service send requests. */
  outbound: AddressGuard;
  secrets: SecretBox;
  storage: ObjectStorage;
  heavyWork: HeavyWork;
  pipeline: Pipeline;
  /** Updates the metrics that are read from the database. */
  measure: () => Promise<void>;
  /** Each resolves if its part works, and rejects otherwise. With `reading`, it is enough that the part can be read. */
  checks: Record<'database' | 'storage' | 'pipeline', (need?: 'reading') => Promise<void>>;
};

/** Whether this process should be sent further requests. */
export type Lifecycle = { isStopping: boolean };

export type Deps = {
  config: Config;
  lifecycle: Lifecycle;
  log: Logger;
  connections: Connections;
  services: Services;
  /** Starts background work: the pipeline and its timers. */
  start(): Promise<void>;
  /** Closes everything opened here, in reverse order. */
  close(): Promise<void>;
};

/** What is brought along instead of made here. It is closed with the rest. */
export type Overrides = { heavyWork?: HeavyWorkPool };

/** The composition root: everything that lives as long as the process is created here and nowhere else. */
export async function buildDeps(config: Config, log: Logger, overrides: Overrides = {}): Promise<Deps> {
  const { pipelineDeps, portals, connections, close } = await openWork(config, log, overrides);
  const { db, system, secrets, heavyWork, mailer } = pipelineDeps;
  // For requests, which wait for an answer. The pipeline can retry later.
  const storage = withBreaker(pipelineDeps.storage);
  const pipeline = createPipeline(pipelineDeps);
  const services: Services = {
    ...openSignIn({ config, log, system }),
    ...openAccounts({ db, system, secrets, mailer, log, hasMail: config.SMTP_URL !== undefined }),
    inviteLinks: inviteLinksOf(config, system),
    matches: createMatches(system),
    ...portals,
    directory: createDirectory(system),
    tickets: await openPlaybackTickets(config),
    findMember: (ids) => findMember(system, ids),
    db,
    prices: pricesOf(config),
    outbound: createAddressGuard(config.OUTBOUND_ALLOW),
    secrets,
    storage,
    heavyWork,
    pipeline,
    measure: createMeasure(system, config.PIPELINE_ENGINE),
    checks: checksOf({ connections, storage, pipeline }),
  };
  return {
    config,
    lifecycle: { isStopping: false },
    log,
    connections,
    services,
    async start() {
      await removeAbandonedFolders(workRoot(config.DATA_DIR));
      await resealSecrets({ db, system, secrets, log });
      await reportTrouble({ config, system, log });
      await pipeline.start();
    },
    async close() {
      storage.stop();
      await pipeline.stop();
      await close();
    },
  };
}

function inviteLinksOf(config: Config, system: Sql): InviteLinks {
  if (signInModeOf(config) !== 'accounts') return null;
  return { make: (inviteId) => makeInviteLink(system, { inviteId, isMailed: false }) };
}

type Work = {
  pipelineDeps: PipelineDeps;
  portals: Omit<ReturnType<typeof openPortals>, 'access'>;
  connections: Connections;
  close(): Promise<void>;
};

/** What the pipeline needs: enough for a process that serves no requests. */
export async function openWork(config: Config, log: Logger, overrides: Overrides = {}): Promise<Work> {
  const tracing = await openTracing(config, log);
  const database = await openDatabase(config, log);
  const { connections, databaseUrl, db, system } = database;
  const storage = await openStorage(config);
  const transcriber = transcriberOf(config);
  const secrets = await openSecretBox(config);
  const heavyWork = overrides.heavyWork ?? openHeavyWork(config, log);
  const parts = { config, log, db, system, storage, secrets, heavyWork };
  const { access: crm, ...portals } = openPortals(parts);
  const { transcribe } = transcriber;
  const providers = { mailer: mailerOf(config), transcribe, crm, analyst: analystOf(config) };
  return {
    pipelineDeps: { ...parts, databaseUrl, ...providers },
    portals,
    connections,
    async close() {
      await heavyWork.close();
      await transcriber.close();
      await database.close();
      await tracing?.stop();
    },
  };
}

type Checked = { connections: Connections; storage: ObjectStorage; pipeline: Pipeline };

function checksOf({ connections: { system, writes }, storage, pipeline }: Checked): Services['checks'] {
  return {
    async database(need) {
      await system`select 1`;
      if (need !== 'reading') await writes.check();
    },
    storage: () => storage.check(),
    pipeline: () => pipeline.check(),
  };
}

async function openTracing(config: Config, log: Logger): Promise<{ stop(): Promise<void> } | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (endpoint === undefined) return undefined;
  const { OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER_ARG: sampleRatio } = config;
  return startTracing({
    endpoint,
    headers,
    serviceName,
    sampleRatio,
    serviceVersion: version,
    onReceiver(state) {
      if (state.isTaking) log.info('the receiver of traces takes them again');
      else log.warn({ err: state.error, endpoint }, 'the receiver of traces takes none: they are lost until it does');
    },
  });
}

function transcriberOf(config: Config): Transcriber {
  const durationMaxMs = config.AUDIO_DURATION_MAX_MINUTES * 60_000;
  const limits = { ...audioLimits, durationMaxMs };
  return createTranscriber({ settings: speechSettingsOf(config), assignRoles, limits });
}

function mailerOf({ SMTP_URL: smtpUrl, MAIL_FROM: from, DATA_DIR }: Config): Mailer {
  return createMailer({ smtpUrl, from, folder: path.resolve(DATA_DIR, 'outbox') });
}

function analystOf(config: Config): Analyst | undefined {
  if (config.ANALYSIS_ENGINE === 'rules' || config.ANALYSIS_MODEL === undefined) return undefined;
  return selectAnalyst({
    model: config.ANALYSIS_MODEL,
    openaiApiKey: config.OPENAI_API_KEY,
    openaiBaseUrl: config.OPENAI_BASE_URL,
    anthropicApiKey: config.ANTHROPIC_API_KEY,
    anthropicBaseUrl: config.ANTHROPIC_BASE_URL,
    timeoutMs: config.ANALYSIS_TIMEOUT_SECONDS * 1000,
    windowTokens: config.ANALYSIS_WINDOW_TOKENS,
  });
}

function openSignIn({ config, log, system }: Pick<Parts, 'config' | 'log' | 'system'>) {
  const sessions = createSessionTokens({ system, log, ...signInOf(config) });
  return { auth: createAuthenticator({ system, sessions }), sessions };
}

type AccountOptions = Parameters<typeof createAccounts>[0] & { log: Logger };

function openAccounts(options: AccountOptions): Pick<Services, 'accounts' | 'factors'> {
  const accounts = createAccounts(options);
  return { accounts, factors: createSecondFactors({ ...options, keys: accounts.keys }) };
}

function signInOf(config: Config) {
  const {
    OIDC_ISSUER: issuer,
    OIDC_JWKS_URL: jwksUrl,
    OIDC_AUDIENCE: audiences = [],
    OIDC_CLIENT_ID: clientIds = [],
  } = config;
  const settings = issuer === undefined ? undefined : { issuer, jwksUrl, audiences, clientIds };
  return { settings, outboundAllow: config.OUTBOUND_ALLOW };
}

type Parts = { config: Config; log: Logger; db: Database; system: Sql; secrets: SecretBox };

/** Everything about CRM portals: sign-in from a portal, its events, and its REST API. */
function openPortals({ config, log, db, system, secrets }: Parts) {
  const crm = crmOf(config);
  const installations = createInstallations({ system, crm, secrets });
  return {
    access: createCrmAccess({ system, crm, secrets, log }),
    embedded: createEmbeddedSessions({ system, crm }),
    installations,
    receiveEvent: createEventReceiver({ db, system, installations }),
  };
}

function crmOf(config: Config): Bitrix24 | undefined {
  const { BITRIX24_CLIENT_ID: clientIds, BITRIX24_CLIENT_SECRET: secrets = [], BITRIX24_OAUTH_URL: oauthUrl } = config;
  if (clientIds === undefined) return undefined;
  const applications = clientIds.map((clientId, index) => ({ clientId, clientSecret: secrets[index] }));
  return createBitrix24({ oauthUrl, applications, outboundAllow: config.OUTBOUND_ALLOW });
}
