import type { InngestFunction } from 'inngest';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/scope.ts';
import type { HeavyWork } from '../domain/heavy-work.ts';
import type { CrmAccess } from '../domain/portals/access.ts';
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
  /** A local file that must not be changed. */
  path: string;
  format: AudioFormat;
  /** Empty, and removed afterwards. */
  workDir: string;
  language: string | null;
  channelMap: ChannelMap | null;
  agentName: string | null;
  signal: AbortSignal;
};

/** Rejects with errors that carry `code`, `retryable` and perhaps `retryAfterMs`. */
export type Transcribe = (input: SpeechInput) => Promise<HeardTranscript>;

/** What the pipeline is built from. */
export type PipelineDeps = {
  config: Config;
  log: Logger;
  databaseUrl: string;
  db: Database;
  /** Pool of the system role. */
  system: Sql;
  storage: ObjectStorage;
  heavyWork: HeavyWork;
  mailer: Mailer;
  /** Opens the secrets of webhooks. */
  secrets: SecretBox;
  /** The REST of linked portals. */
  crm: CrmAccess;
  transcribe: Transcribe;
  /** The language model that answers what needs one; without it the rules answer alone. */
  analyst?: Analyst | undefined;
  /** Transcriptions under way at once, over all instances. By default 8 with a provider, else one for each processor. */
  transcriptionsMax?: number;
  /** In place of the documented schedule, timeout and resolver. */
  webhooks?: { delaysMs?: readonly number[]; timeoutMs?: number; lookup?: LookupAddresses };
};

/**
 * What functions get: the dependencies, and the signals of a process that ends. With `leaving` nothing is begun any more that
 * others are paid for, or told; with `stopping` what is under way breaks off.
 */
export type FunctionDeps = PipelineDeps & { leaving: AbortSignal; stopping: AbortSignal };

/** The functions that others invoke. */
export type Invoked = { transcribeRecording: InngestFunction.Any; askModel: InngestFunction.Any | null };
