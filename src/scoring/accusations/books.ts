import { compileExactly, type PhraseSet } from '../../model/text/compile-phrases.ts';
import { plainWord } from '../../model/text/tokens.ts';
import { isRead, READ_LANGUAGES, type ReadLanguage } from '../languages/language.ts';
import type { AccusationBook, SaidKind } from '../lexicon/accusations/accusation-book.ts';
import { ACCUSATION_BOOKS } from '../lexicon/accusations/books.ts';
import { THINGS } from '../lexicon/respect.ts';

type Phrases = { kind: SaidKind; strength: 'clear' | 'possible'; set: PhraseSet };
type Words = ReadonlySet<string>;

/** A book whose phrases are ready to be looked for. None of them is forgiven a slip. */
export type ReadBook = {
  phrases: readonly Phrases[];
  faint: PhraseSet;
  commands: PhraseSet;
  frames: PhraseSet;
  conditions: PhraseSet;
  offers: PhraseSet;
  protests: PhraseSet;
  resistance: PhraseSet;
  guarantees: { clear: PhraseSet; possible: PhraseSet };
  secrecy: PhraseSet;
  urgency: PhraseSet;
  deadlines: PhraseSet;
  outcomes: Words;
  foul: Words;
  mixed: Words;
  names: Words;
  rude: Words;
  targets: Words;
  you: Words;
  own: Words;
  reporting: Words;
  hedges: Words;
  spelling: Words;
  naming: Words;
  things: Words;
};

const read = new Map<string, ReadBook>();

/**
 * What is looked for in a call of this language: all of its own, and of the others what means nothing else anywhere. Of a call
 * in no known language everything.
 */
export function bookFor(language: string | null): ReadBook {
  const own = language !== null && isRead(language) ? [language] : READ_LANGUAGES;
  const key = own.join();
  const known = read.get(key) ?? readBooks(own);
  read.set(key, known);
  return known;
}

function readBooks(languages: readonly ReadLanguage[]): ReadBook {
  const own = languages.map((language) => ACCUSATION_BOOKS[language]);
  const all = Object.values(ACCUSATION_BOOKS);
  const set = (of: (book: AccusationBook) => readonly string[]): PhraseSet => compileExactly(own.flatMap(of));
  const words = (of: (book: AccusationBook) => readonly string[], from = own): Words =>
    new Set(from.flatMap(of).map(plainWord));
  return {
    phrases: [...phrasesOf('clear', all), ...phrasesOf('possible', own)],
    faint: set(({ faint }) => faint),
    commands: set(({ commands }) => commands),
    frames: set(({ frames }) => frames),
    conditions: set(({ conditions }) => conditions),
    offers: set(({ offers }) => offers),
    protests: set(({ protests }) => protests),
    resistance: set(({ resistance }) => resistance),
    guarantees: {
      clear: set(({ guarantees }) => guarantees.clear),
      possible: set(({ guarantees }) => guarantees.possible),
    },
    secrecy: set(({ secrecy }) => secrecy),
    urgency: set(({ urgency }) => urgency),
    deadlines: set(({ deadlines }) => deadlines),
    outcomes: words(({ guarantees }) => guarantees.outcomes),
    foul: words(({ foul }) => foul, all),
    mixed: words(({ mixed }) => mixed),
    names: words(({ names }) => names),
    rude: words(({ rude }) => rude),
    targets: words(({ targets }) => targets),
    you: words(({ you }) => you),
    own: words((book) => book.own),
    reporting: words(({ reporting }) => reporting),
    hedges: words(({ hedges }) => hedges),
    spelling: words(({ spelling }) => spelling),
    naming: words(({ naming }) => naming),
    things: THINGS,
  };
}

function phrasesOf(strength: 'clear' | 'possible', books: readonly AccusationBook[]): Phrases[] {
  const kinds: readonly SaidKind[] = ['insult', 'profanity', 'sarcasm', 'blame', 'contempt', 'threat', 'consequence'];
  return kinds.flatMap((kind) => {
    const said = books.flatMap((book) => book[strength][kind] ?? []);
    return said.length === 0 ? [] : [{ kind, strength, set: compileExactly(said) }];
  });
}

/** Every word that swears or calls names, in all languages: for voices that could be anybody's. */
export const RUDE_WORDS: Words = new Set(
  Object.values(ACCUSATION_BOOKS)
    .flatMap(({ foul, names }) => [...foul, ...names])
    .map(plainWord),
);
