import { swapRoles } from '../domain/analyses/swap-roles.ts';
import type { CallToScore, HeavyTasks } from '../domain/heavy-work.ts';
import { checkRubricJson } from '../domain/profiles/check-rubric.ts';
import type { KeptTranscript } from '../domain/records/kept-transcript.ts';
import { assertCountable, parseSuppliedTranscript } from '../domain/records/supplied-transcript.ts';
import { formatKeptTranscript } from '../domain/records/transcript-formats.ts';
import type { Segment, Transcript } from '../domain/records/transcript.ts';
import { prepareCall } from '../scoring/model/call.ts';
import { withInferredRoles } from '../scoring/roles/inferred.ts';
import { findMoments } from '../scoring/moments.ts';
import { judgeCall, type ScoreCallInput } from '../scoring/score-call.ts';
import { readRubric } from './rubric-cache.ts';

type Tasks = {
  [Name in keyof HeavyTasks]: (
    input: Parameters<HeavyTasks[Name]>[0],
  ) => ReturnType<HeavyTasks[Name]> | Promise<ReturnType<HeavyTasks[Name]>>;
};

/** Pure, every one of them: the same input gives the same result in any thread. */
export const tasks: Tasks = {
  readTranscript({ isRedacted, ...input }) {
    const { text: _text, segments, ...transcript } = withInferredRoles(parseSuppliedTranscript(input), input.agentName);
    return isRedacted ? redact({ ...transcript, segments }) : keep({ ...transcript, segments }, null);
  },
  keepTranscript({ transcript, isRedacted, agentName }) {
    const { redactions, ...given } = transcript;
    const segments = readSegments(given.segments);
    assertCountable(segments);
    const said = withInferredRoles({ ...given, segments }, agentName);
    return isRedacted ? redact(said) : keep(said, redactions);
  },
  formatKeptTranscript,
  swapRoles,
  async redactStored(words) {
    const { redactStored } = await import('../domain/records/redact-stored.ts');
    return redactStored(words);
  },
  score({ modelAnswers, ...stored }) {
    const call = toCall(stored);
    return { ...judgeCall({ ...call, modelAnswers }), durationMs: call.durationMs };
  },
  prepareCall: (stored) => prepareCall(toCall(stored)),
  findMoments: (segments) => findMoments(readSegments(segments)),
  checkRubric: checkRubricJson,
};

type Said = Omit<Transcript, 'text'>;

/** Redaction knows the numbering plans of the world: they are loaded where somebody asks for it. */
async function redact(transcript: Said): Promise<KeptTranscript> {
  const { redactSpeakers } = await import('../redaction/redact-speakers.ts');
  const { redactTranscript } = await import('../redaction/redact-transcript.ts');
  const named = redactSpeakers(transcript);
  const { segments, redactions } = redactTranscript(named.segments);
  return keep({ ...named, segments }, redactions);
}

function keep({ segments, ...transcript }: Said, redactions: KeptTranscript['redactions']): KeptTranscript {
  return { ...transcript, segments: JSON.stringify(segments), redactions };
}

function toCall({ transcript, rubric, agentName, durationSeconds }: CallToScore): Omit<ScoreCallInput, 'modelAnswers'> {
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

/** What is read here was written by `keep`. */
function readSegments(json: string): Segment[] {
  return JSON.parse(json) as Segment[];
}

function endOf(segments: readonly Segment[]): number {
  return segments.reduce((end, { endMs }) => Math.max(end, endMs), 0);
}
