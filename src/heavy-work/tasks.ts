import { redactStored, swapRoles } from '../domain/processing/tasks.ts';
import type { CallToScore, HeavyTasks } from '../domain/heavy-work.ts';
import { checkRubricJson } from '../domain/profiles/tasks.ts';
import {
  assertCountable,
  formatKeptTranscript,
  parseSuppliedTranscript,
  type KeptTranscript,
} from '../domain/transcripts/tasks.ts';
import { detect } from '../redaction/detect.ts';
import { depthOf, isShallower, type RedactionDepth } from '../model/redaction.ts';
import type { Segment } from '../model/transcript.ts';
import { prepareCall } from '../scoring/model/call.ts';
import { withInferredRoles } from '../scoring/roles/inferred.ts';
import { findMoments } from '../scoring/moments.ts';
import type { FindSecrets } from '../scoring/compliance/labelled-secrets.ts';
import { judgeCall, type ScoreCallInput } from '../scoring/score-call.ts';
import { readRubric } from './rubric-cache.ts';

type Tasks = {
  [Name in keyof HeavyTasks]: (
    input: Parameters<HeavyTasks[Name]>[0],
  ) => ReturnType<HeavyTasks[Name]> | Promise<ReturnType<HeavyTasks[Name]>>;
};

/** All pure: the same input gives the same result in any process. */
export const tasks: Tasks = {
  readTranscript({ redaction, ...input }) {
    const { text: _text, ...said } = withInferredRoles(parseSuppliedTranscript(input), input.agentName);
    return redact({ ...said, redactions: null, namesRedacted: false }, redaction);
  },
  keepTranscript({ transcript, redaction, agentName }) {
    const segments = readSegments(transcript.segments);
    assertCountable(segments);
    return redact(withInferredRoles({ ...transcript, segments }, agentName), redaction);
  },
  formatKeptTranscript,
  swapRoles,
  redactStored,
  score({ modelAnswers, ...stored }) {
    const call = toCall(stored);
    return { ...judgeCall({ ...call, modelAnswers, findSecrets }), durationMs: call.durationMs };
  },
  prepareCall: (stored) => prepareCall(toCall(stored)),
  findMoments: (segments) => findMoments(readSegments(segments)),
  checkRubric: checkRubricJson,
};

/** Scoring does not know redaction, whose rules find what is said beside the label of a secret. */
function findSecrets(segments: readonly Segment[]): ReturnType<FindSecrets> {
  return detect(segments, { names: false });
}

type WithoutAnswers = Omit<ScoreCallInput, 'modelAnswers' | 'findSecrets'>;
type Said = Omit<KeptTranscript, 'segments'> & { segments: Segment[] };

/** Redaction loads the numbering plans of the world, so it is loaded only when used. */
async function redact(said: Said, asked: RedactionDepth): Promise<KeptTranscript> {
  if (!isShallower(depthOf(said), asked)) return { ...said, segments: JSON.stringify(said.segments) };
  const { redactSaid } = await import('../redaction/redact-said.ts');
  const { spans: _spans, segments, ...redacted } = redactSaid(said, { names: asked === 'names' });
  return { ...redacted, segments: JSON.stringify(segments) };
}

function toCall({ transcript, rubric, agentName, durationSeconds }: CallToScore): WithoutAnswers {
  const { recordId, language, source, model, channels, speakers } = transcript;
  const segments = readSegments(transcript.segments);
  const text = segments.map((segment) => segment.text).join('\n');
  return {
    transcript: { recordId, language, source, model, channels, speakers, segments, text },
    durationMs: transcript.durationMs ?? (durationSeconds === null ? endOf(segments) : durationSeconds * 1000),
    rubric: readRubric(rubric),
    agentName,
  };
}

/** Reads what `keep` wrote. */
function readSegments(json: string): Segment[] {
  return JSON.parse(json) as Segment[];
}

function endOf(segments: readonly Segment[]): number {
  return segments.reduce((end, { endMs }) => Math.max(end, endMs), 0);
}
