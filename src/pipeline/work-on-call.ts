import type { OrgTx } from '../db/scope.ts';
import {
  failReanalysis,
  failRecord,
  type KeptHeard,
  publishAnalysis,
  publishReanalysis,
  saveRetranscript,
  saveTranscript,
  selectReanalysisSource,
  selectRescoringInput,
  selectScoringInput,
  selectSource,
  setStage,
  touchReanalysis,
} from '../domain/processing/service.ts';
import type { Failure, Stage } from '../model/record.ts';
import type { CallJob } from './client.ts';
import type { ScoringInput } from './score-transcript.ts';

type Source = NonNullable<Awaited<ReturnType<typeof selectReanalysisSource>>>;

/** `retranscribe`: whether the record takes over what was heard. */
type Input = Omit<ScoringInput, 'rubric' | 'transcript'> & {
  transcript: ScoringInput['transcript'] | null;
  retranscribe?: boolean;
};

type Publication = Parameters<typeof publishReanalysis>[2];
export type Scored = Omit<Publication, 'prices'>;

/** What a call is transcribed and scored for: an attempt at a record, or a re-analysis. Undefined, false: it is void. */
export type WorkOnCall = {
  source(tx: OrgTx): Promise<Source | undefined>;
  /** A sign of life. */
  touch(tx: OrgTx, stage: Stage): Promise<boolean>;
  save(tx: OrgTx, heard: KeptHeard): Promise<boolean>;
  input(tx: OrgTx): Promise<Input | undefined>;
  publish(tx: OrgTx, scored: Publication): Promise<{ outcome: string; analysisId?: string }>;
  fail(tx: OrgTx, failure: Failure): Promise<boolean>;
};

export function workOf(job: CallJob): WorkOnCall {
  if ('analysisId' in job) {
    return {
      source: (tx) => selectReanalysisSource(tx, job.analysisId),
      touch: (tx) => touchReanalysis(tx, job),
      save: (tx, heard) => saveRetranscript(tx, job, heard),
      input: (tx) => selectRescoringInput(tx, job.analysisId),
      publish: async (tx, scored) => ({ outcome: await publishReanalysis(tx, job, scored) }),
      fail: (tx, failure) => failReanalysis(tx, job, failure),
    };
  }
  return {
    source: (tx) => selectSource(tx, job),
    touch: (tx, stage) => setStage(tx, job, stage),
    save: (tx, heard) => saveTranscript(tx, job, heard),
    input: (tx) => selectScoringInput(tx, job),
    publish: async (tx, scored) => {
      const published = await publishAnalysis(tx, job, scored);
      return published ? { outcome: 'completed', ...published } : { outcome: 'void' };
    },
    fail: (tx, failure) => failRecord(tx, job, failure),
  };
}
