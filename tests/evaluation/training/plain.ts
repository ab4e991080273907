import { CHECK_KEYS, call, readAnswers, storedCalls, storedTranscript } from '../../scoring/corpus.ts';
import { EXPECTED } from '../../scoring/expected.ts';
import { INVENTED } from '../../scoring/invented-calls.ts';
import { INVENTED_2 } from '../../scoring/invented-calls-2.ts';
import { INVENTED_3 } from '../../scoring/invented-calls-3.ts';
import type { HeardCall } from './fold.ts';

/**
 * Calls in usual words, which the rules read well: from them the verdicts learn where the rules may be believed. The readers of the acts
 * never learn from them.
 */
export function plainCalls(): HeardCall[] {
  const stored = storedCalls().flatMap((each) =>
    (['text', 'asr'] as const).map((mode): HeardCall => {
      const answers = answersOf(EXPECTED[each.sid] ?? '');
      const style = mode === 'asr' ? 'spoken' : 'typed';
      return { id: `${each.sid} ${mode}`, language: 'en', style, ...storedTranscript(each, mode), answers };
    }),
  );
  const invented = [...INVENTED, ...INVENTED_2, ...INVENTED_3].map(({ name, script, expected }): HeardCall => ({
    id: name,
    language: 'en',
    style: 'typed',
    ...call(script),
    answers: answersOf(expected),
  }));
  return [...stored, ...invented];
}

/** By key; what the reader left open is left out. */
function answersOf(table: string): HeardCall['answers'] {
  const letters = table.replace(/\s/gu, '');
  const entries = CHECK_KEYS.map((key, index) => [key, readAnswers(letters)[index], letters[index]] as const);
  return Object.fromEntries(
    entries.flatMap(([key, answer, letter]) => (answer && letter !== '.' ? [[key, answer]] : [])),
  );
}
