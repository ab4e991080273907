import { detect } from '../../src/redaction/detect.ts';
import { judgeCall as judge, type ScoreCallInput } from '../../src/scoring/score-call.ts';

type Given = Omit<ScoreCallInput, 'findSecrets'>;

/** As the service judges a call: secrets are found by the rules of redaction. */
export function judgeCall(input: Given): ReturnType<typeof judge> {
  return judge({ ...input, findSecrets: (segments) => detect(segments, { names: false }) });
}

export function scoreCall(input: Given): ReturnType<typeof judge>['scorecard'] {
  return judgeCall(input).scorecard;
}
