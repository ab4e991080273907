import type { OrgTx } from '../db/scope.ts';
import { saveRetranscript, touchReanalysis } from '../domain/processing/reprocessing.ts';
import { selectReanalysisSource } from '../domain/processing/reprocessing-queries.ts';
import { saveTranscript, setStage, type KeptHeard } from '../domain/processing/service.ts';
import { selectSource } from '../domain/processing/queries.ts';
import type { Job, ReanalysisJob } from './client.ts';

type Source = NonNullable<Awaited<ReturnType<typeof selectReanalysisSource>>>;

/** For whom a recording is transcribed: a pass of a record, or a re-analysis. */
export type TranscriptionTarget = {
  /** Undefined when nobody needs it any more. */
  source(tx: OrgTx): Promise<Source | undefined>;
  /** A sign of life. False when nobody needs it any more. */
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
