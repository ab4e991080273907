import type { InngestFunction } from 'inngest';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/scope.ts';
import type { HeavyWork } from '../domain/heavy-work.ts';
import type { CrmAccess } from '../domain/portals/service.ts';
import type { ChannelMap } from '../model/channel-map.ts';
import type { HeardTranscript } from '../domain/processing/service.ts';
import type { LookupAddresses } from '../lib/guarded-connector.ts';
import type { Logger } from '../lib/logger.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { AudioFormat } from '../providers/audio/formats.ts';
import type { Mailer } from '../providers/mail/interface.ts';
import type { Analyst } from '../providers/analysis/interface.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';

export type SpeechInput = {
  recordId: string;
  /** A local file. Read only. */
  path: string;
  format: AudioFormat;
  /** Empty, and deleted afterwards. */
  workDir: string;
  language: string | null;
  channelMap: ChannelMap | null;
  agentName: string | null;
  signal: AbortSignal;
};

/** Rejects with errors that have `code`, `retryable` and sometimes `retryAfterMs`. */
export type Transcribe = (input: SpeechInput) => Promise<HeardTranscript>;

/** What the pipeline is built from. */
export type PipelineDeps = {
  config: Config;
  log: Logger;
  databaseUrl: string;
  db: Database;
  /** Connections of the system role. */
  system: Sql;
  storage: ObjectStorage;
  heavyWork: HeavyWork;
  mailer: Mailer;
  /** Opens the secrets of webhooks. */
  secrets: SecretBox;
  /** REST calls to linked portals. */
  crm: CrmAccess;
  transcribe: Transcribe;
  /** The language model for checks that need one; without it, only the rules answer. */
  analyst?: Analyst | undefined;
  /** Concurrent transcriptions over all instances. By default 8 with a provider, else one per processor. */
  transcriptionsMax?: number;
  /** Overrides the documented schedule, timeout and resolver. */
  webhooks?: { delaysMs?: readonly number[]; timeoutMs?: number; lookup?: LookupAddresses };
};

/**
 * What functions receive: the dependencies, and two signals. After `leaving`, they start nothing that costs money or
 * notifies others; after `stopping`, running work is aborted.
 */
export type FunctionDeps = PipelineDeps & { leaving: AbortSignal; stopping: AbortSignal };

/** Functions that are invoked by others. */
export type Invoked = { transcribeRecording: InngestFunction.Any; askModel: InngestFunction.Any | null };
