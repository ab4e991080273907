import type { Inngest } from 'inngest';
import { hasModelAnswer, insertModelAnswer } from '../../domain/analyses/service.ts';
import { withRedactedWords } from '../../domain/processing/service.ts';
import { depthOf } from '../../model/redaction.ts';
import { requireRedactedWords, UnredactedError, type WordsRead } from '../../domain/transcripts/service.ts';
import type { OrgTx } from '../../db/scope.ts';
import type { Analyst, AnswerStore } from '../../providers/analysis/interface.ts';
import { AnalysisError } from '../../providers/analysis/errors.ts';
import { CallJob } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { toStepError } from '../base/faults.ts';
import { stepsMaxOf } from '../steps-max.ts';
import { createRubrics, type Rubrics } from '../rubrics.ts';
import { refuseUnredacted, toCall, toScoringFault } from '../score-transcript.ts';
import { workOf } from '../work-on-call.ts';
import { noteDown } from '../base/with-retries.ts';

const retries = 4;
/** Models are slow, so the rest of the process is left to other work. */
const share = 0.5;

type AskDeps = FunctionDeps & { analyst: Analyst; rubrics: Rubrics };

/**
 * Asks a language model the questions of a profile; invoked by process-record and reanalyze-record. A separate
 * function, so that a slow model delays only those who wait for it. Answers are stored in the database, so no part of a
 * call is asked, or paid for, twice.
 */
export function createAskModel(client: Inngest, deps: FunctionDeps & { analyst: Analyst }) {
  const rubrics = createRubrics();
  const limit = Math.max(1, Math.ceil(stepsMaxOf(deps.config) * share));
  const perOrg = limit > 2 ? limit - 1 : limit;
  return client.createFunction(
    {
      id: 'ask-model',
      triggers: [],
      retries,
      concurrency: [{ limit }, { key: 'event.data.orgId', limit: perOrg }],
    },
    async ({ event, step }) => {
      const job = CallJob.parse(event.data);
      const asking = () => ask({ ...deps, rubrics }, job);
      return step.run('ask', async () => ({ digests: await withRedactedWords(deps, job, asking) }));
    },
  );
}

async function ask(deps: AskDeps, job: CallJob): Promise<string[]> {
  const { db, analyst, rubrics, leaving, stopping, log, heavyWork } = deps;
  const input = await db.withOrg(job.orgId, async (tx) => {
    const found = await workOf(job).input(tx);
    if (found) refuseUnredacted(found);
    return found?.transcript ? { ...found, rubric: await rubrics.read(tx, found.profile) } : undefined;
  });
  const { transcript } = input ?? {};
  if (!input || !transcript) return [];
  const asked = await heavyWork
    .run('prepareCall', toCall({ ...input, transcript }), { orgId: job.orgId, isAwaited: false })
    .catch((error: unknown) => {
      throw toScoringFault(error);
    });
  if (!asked) return [];
  try {
    const words = { transcriptVersion: transcript.version, redaction: depthOf(transcript) };
    const store = storeOf(deps, job, words);
    return await analyst.ask({ ...asked, language: transcript.language, store, leaving, signal: stopping });
  } catch (error) {
    if (error instanceof UnredactedError) throw error;
    if (error instanceof AnalysisError) {
      const { code, internal } = error;
      log.warn({ orgId: job.orgId, recordId: job.recordId, code, internal }, 'a language model did not answer');
    }
    throw toStepError(error);
  }
}

/**
 * Each answer is also a sign of life. Answers are not stored if the words they are based on have been redacted
 * meanwhile.
 */
function storeOf({ db, stopping }: FunctionDeps, job: CallJob, words: WordsRead): AnswerStore {
  const { orgId, recordId } = job;
  return {
    has: (digest) => db.withOrg(orgId, (tx) => hasModelAnswer(tx, recordId, digest)),
    save(digest, answer) {
      const save = async (tx: OrgTx): Promise<void> => {
        if (!(await workOf(job).touch(tx, 'analyzing'))) return;
        await requireRedactedWords(tx, recordId, words);
        await insertModelAnswer(tx, { recordId, digest, answer });
      };
      return noteDown(() => db.withOrg(orgId, save), stopping);
    },
  };
}
