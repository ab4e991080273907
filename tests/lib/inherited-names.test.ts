import { expect, it } from 'vitest';
import { roleOf } from '../../src/domain/transcripts/speaker-labels.ts';
import { expandWord } from '../../src/model/text/contractions.ts';
import { languageTag } from '../../src/providers/speech/language-tag.ts';
import { primaryOf } from '../../src/scoring/languages/language.ts';

/** Tables that are looked up by what strangers say know only their own entries, not what every object inherits. */
it.each(['constructor', 'Constructor', '__proto__', 'toString', 'valueOf'])('%s is a word like any other', (word) => {
  expect(roleOf(word)).toBeNull();
  expect(expandWord(`it'${word}`)).toEqual([`it${word}`]);
  expect(languageTag(word)).toBeNull();
  expect(primaryOf(word)).toBeNull();
});
