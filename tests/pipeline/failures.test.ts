import { expect, it } from 'vitest';
import { toFailure, toStepError } from '../../src/pipeline/base/faults.ts';
import { AudioError } from '../../src/providers/audio/errors.ts';
import { SpeechError, type SpeechErrorCode } from '../../src/providers/speech/errors.ts';

const speech = (code: SpeechErrorCode): Error => new SpeechError(code, 'Said to the user.');

it.each([
  ['what may pass', speech('SPEECH_UNAVAILABLE'), { isTriedAgain: true, retryable: true }],
  ['a killed tool', new AudioError('AUDIO_INTERRUPTED', 'Cut short.'), { isTriedAgain: true, retryable: true }],
  ['a wrong key', speech('SPEECH_UNAUTHORIZED'), { isTriedAgain: false, retryable: true }],
  ['a missing engine', speech('SPEECH_ENGINE_MISSING'), { isTriedAgain: false, retryable: true }],
  ['an unknown language', speech('SPEECH_LANGUAGE_UNSUPPORTED'), { isTriedAgain: false, retryable: true }],
  ['a limit of the service', new AudioError('AUDIO_TOO_LONG', 'Too long.'), { isTriedAgain: false, retryable: true }],
  ['a recording without sound', new AudioError('AUDIO_EMPTY', 'Empty.'), { isTriedAgain: false, retryable: false }],
])('the engine and the user may try again after %s as far as that can help', (_, error, expected) => {
  const thrown = toStepError(error);
  const { retryable } = toFailure(thrown);
  expect({ isTriedAgain: thrown.name !== 'NonRetriableError', retryable }).toEqual(expected);
});
