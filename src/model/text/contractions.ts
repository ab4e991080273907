const SUFFIXES = new Map(Object.entries({ m: 'am', re: 'are', ve: 'have', ll: 'will', d: 'would' }));

/** Forms that suffix rules cannot split, and those that recognisers write without an apostrophe. */
const WHOLE = new Map<string, string[]>(
  Object.entries({
    "can't": 'can not',
    cant: 'can not',
    cannot: 'can not',
    "won't": 'will not',
    wont: 'will not',
    "shan't": 'shall not',
    "ain't": 'is not',
    dont: 'do not',
    didnt: 'did not',
    doesnt: 'does not',
    isnt: 'is not',
    wasnt: 'was not',
    havent: 'have not',
    hasnt: 'has not',
    couldnt: 'could not',
    wouldnt: 'would not',
    shouldnt: 'should not',
    im: 'i am',
    ive: 'i have',
    youre: 'you are',
    youve: 'you have',
    weve: 'we have',
    thats: 'that is',
    whats: 'what is',
    theres: 'there is',
    "let's": 'let us',
    lets: 'let us',
    gonna: 'going to',
    wanna: 'want to',
    gotta: 'have to',
    lemme: 'let me',
    gimme: 'give me',
    ok: 'okay',
    okey: 'okay',
    okie: 'okay',
    alrighty: 'alright',
    thankyou: 'thank you',
    goodbye: 'good bye',
    "o'clock": 'oclock',
    "ma'am": 'maam',
    "y'all": 'you all',
    mmhm: 'mhm',
    mhmm: 'mhm',
    mmhmm: 'mhm',
    nope: 'no',
    nah: 'no',
    yep: 'yes',
    yeah: 'yes',
    yup: 'yes',
    ya: 'yes',
    sms: 'text',
    mom: 'mum',
  }).map(([form, words]) => [form, words.split(' ')]),
);

/** Words after which 's means "is"; after others it is a possessive and dropped. */
const TAKES_IS = new Set('it he she that this there here what who where when how why everything all name'.split(' '));

/**
 * Expands one lower-case word into plain words: `don't` → `do not`, `i'll` → `i will`. Other words are returned
 * unchanged.
 */
export function expandWord(word: string): string[] {
  const whole = WHOLE.get(word);
  if (whole) return whole;
  const cut = word.lastIndexOf("'");
  if (cut < 0) return [word];
  const head = word.slice(0, cut);
  const tail = word.slice(cut + 1);
  if (tail === 't' && head.endsWith('n')) return [head.slice(0, -1), 'not'];
  if (tail === 's') return TAKES_IS.has(head) ? [head, 'is'] : [head];
  const suffix = SUFFIXES.get(tail);
  return suffix ? [...expandWord(head), suffix] : [head + tail];
}
