import { availableParallelism } from 'node:os';
import type { Inngest } from 'inngest';
import type { Config } from '../../config/config.ts';
import type { OrgTx } from '../../db/scope.ts';
import { storingRedacted } from '../../domain/transcripts/service.ts';
import { withWorkFolder, workRoot } from '../../lib/work-folder.ts';
import { formatOf } from '../audio-format.ts';
import { CallJob } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { poison, toStepError } from '../base/faults.ts';
import { keepHeard } from '../keep-heard.ts';
import { workOf } from '../work-on-call.ts';
import { noteDown } from '../base/with-retries.ts';

const retries = 6;
const heartbeatMs = 60_000;
const remoteMax = 8;
const onThisMachine = new Set<Config['SPEECH_ENGINE']>(['local', 'pocketsphinx']);

/**
 * Speech to text; invoked by process-record and reanalyze-record. A separate function, so that its limit delays only
 * recordings: calls with a supplied transcript overtake any backlog of them.
 */
export function createTranscribeRecording(client: Inngest, deps: FunctionDeps) {
  const limit = deps.transcriptionsMax ?? transcriptionsDefault(deps.config) * deps.config.PIPELINE_WORKERS;
  // With more than two slots, one is always left for another organization.
  const perOrg = limit > 2 ? limit - 1 : limit;
  return client.createFunction(
    {
      id: 'transcribe-recording',
      triggers: [],
      retries,
      concurrency: [{ limit }, { key: 'event.data.orgId', limit: perOrg }],
    },
    async ({ event, step }) => {
      const job = CallJob.parse(event.data);
      return step.run('transcribe', () => transcribe(deps, job));
    },
  );
}

async function transcribe(deps: FunctionDeps, job: CallJob): Promise<{ isTranscribed: boolean }> {
  const { db, storage, config, leaving, stopping, heavyWork } = deps;
  const work = workOf(job);
  const source = await db.withOrg(job.orgId, (tx) => work.source(tx));
  if (!source || source.hasTranscript) return { isTranscribed: false };
  const { storageKey, language, channelMap, agentName } = source;
  if (!storageKey) throw poison('RECORDING_GONE', 'The record has no recording.');
  const format = formatOf(source.contentType);
  const folder = { root: workRoot(config.DATA_DIR), name: job.recordId };
  const isVoid = new AbortController();
  const heartbeat = setInterval(() => void beat(deps, job, isVoid), heartbeatMs);
  const signal = AbortSignal.any([stopping, isVoid.signal]);
  try {
    const call = { recordId: job.recordId, format, language, channelMap, agentName, signal };
    const heard = await storage.withLocalFile(storageKey, (file) =>
      withWorkFolder(folder, (workDir) => {
        leaving.throwIfAborted();
        return deps.transcribe({ ...call, path: file, workDir });
      }),
    );
    const { orgId } = job;
    const { redaction } = source;
    const kept = await keepHeard(heavyWork, { orgId, redaction, transcript: heard.transcript, agentName });
    const isTranscribed = await storingRedacted({ heavyWork, orgId }, kept, (transcript) => {
      // If the answer to the commit was lost, the transcript exists already.
      const save = async (tx: OrgTx) =>
        (await work.source(tx))?.hasTranscript || work.save(tx, { ...heard, transcript });
      return noteDown(() => db.withOrg(orgId, save), stopping);
    });
    return { isTranscribed };
  } catch (error) {
    if (!(await isAlive(deps, job))) return { isTranscribed: false };
    throw toStepError(error);
  } finally {
    clearInterval(heartbeat);
  }
}

/** A remote provider takes several at once; local recognition needs a processor for each. */
function transcriptionsDefault(config: Config): number {
  const { SPEECH_ENGINE, DEEPGRAM_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL } = config;
  const hasProvider = Boolean(DEEPGRAM_API_KEY ?? OPENAI_API_KEY ?? OPENAI_BASE_URL);
  const isElsewhere = SPEECH_ENGINE === 'auto' ? hasProvider : !onThisMachine.has(SPEECH_ENGINE);
  return isElsewhere ? remoteMax : availableParallelism();
}

/** Records a sign of life, and aborts the work if the attempt is void. */
async function beat({ db, log }: FunctionDeps, job: CallJob, isVoid: AbortController): Promise<void> {
  try {
    const isAlive = await db.withOrg(job.orgId, (tx) => workOf(job).touch(tx, 'transcribing'));
    if (!isAlive) isVoid.abort(new Error('The record was deleted or is processed anew.'));
  } catch (err) {
    log.debug({ err, recordId: job.recordId }, 'a sign of life could not be written');
  }
}

/** A record that was deleted meanwhile takes its recording along; that is no failure. */
async function isAlive({ db }: FunctionDeps, job: CallJob): Promise<boolean> {
  return (await db.withOrg(job.orgId, (tx) => workOf(job).source(tx))) !== undefined;
}
