import type { OrgTx } from '../db/scope.ts';
import {
  saveRetranscript,
  touchReanalysis,
  type KeptHeard,
  saveTranscript,
  selectReanalysisSource,
  selectSource,
  setStage,
} from '../domain/processing/service.ts';
import type { Job, ReanalysisJob } from './client.ts';

type Source = NonNullable<Awaited<ReturnType<typeof selectReanalysisSource>>>;

/** What a recording is transcribed for: an attempt at a record, or a re-analysis. */
export type TranscriptionTarget = {
  /** Undefined if it is no longer needed. */
  source(tx: OrgTx): Promise<Source | undefined>;
  /** A sign of life. False if it is no longer needed. */
  touch(tx: OrgTx): Promise<boolean>;
  save(tx: OrgTx, heard: KeptHeard): Promise<boolean>;
};

export function targetOf(job: Job | ReanalysisJob): TranscriptionTarget {
  if ('analysisId' in job) {
    return {
      source: (tx) => selectReanalysisSource(tx, job.analysisId),
      touch: (tx) => touchReanalysis(tx, job),
      save: (tx, heard) => saveRetranscript(tx, job, heard),
    };
  }
  return {
    source: (tx) => selectSource(tx, job),
    touch: (tx) => setStage(tx, job, 'transcribing'),
    save: (tx, heard) => saveTranscript(tx, job, heard),
  };
}
