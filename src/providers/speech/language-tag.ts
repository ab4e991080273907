/** Names of languages as Whisper and compatible servers return them (openai/whisper, tokenizer.py), by tag. */
const named = new Map(
  `english en, chinese zh, mandarin zh, german de, spanish es, castilian es, russian ru, korean ko, french fr,
  japanese ja, portuguese pt, turkish tr, polish pl, catalan ca, valencian ca, dutch nl, flemish nl, arabic ar,
  swedish sv, italian it, indonesian id, hindi hi, finnish fi, vietnamese vi, hebrew he, ukrainian uk, greek el,
  malay ms, czech cs, romanian ro, moldavian ro, moldovan ro, danish da, hungarian hu, tamil ta, norwegian no, thai th,
  urdu ur, croatian hr, bulgarian bg, lithuanian lt, latin la, maori mi, malayalam ml, welsh cy, slovak sk, telugu te,
  persian fa, farsi fa, latvian lv, bengali bn, bangla bn, serbian sr, azerbaijani az, slovenian sl, kannada kn,
  estonian et, macedonian mk, breton br, basque eu, icelandic is, armenian hy, nepali ne, mongolian mn, bosnian bs,
  kazakh kk, albanian sq, swahili sw, galician gl, marathi mr, punjabi pa, panjabi pa, sinhala si, sinhalese si,
  khmer km, shona sn, yoruba yo, somali so, afrikaans af, occitan oc, georgian ka, belarusian be, tajik tg, sindhi sd,
  gujarati gu, amharic am, yiddish yi, lao lo, uzbek uz, faroese fo, haitian creole ht, haitian ht, pashto ps,
  pushto ps, turkmen tk, nynorsk nn, maltese mt, sanskrit sa, luxembourgish lb, letzeburgesch lb, myanmar my,
  burmese my, tibetan bo, tagalog tl, filipino fil, malagasy mg, assamese as, tatar tt, hawaiian haw, lingala ln,
  hausa ha, bashkir ba, javanese jv, sundanese su, cantonese yue`
    .split(/,\s*/u)
    .map((entry) => entry.trim().split(/ (?=\S+$)/u) as [string, string]),
);

/** Tags that name no language. */
const undetermined = new Set(['und', 'mul', 'mis', 'zxx']);

/**
 * The BCP 47 tag of a language, however a recogniser spells it: `english`, `EN`, `en_us`. Null for anything else, so
 * that nothing else is stored or requested next time.
 */
export function languageTag(text: string | null | undefined): string | null {
  const plain = (text ?? '').trim().toLowerCase().replaceAll('_', '-');
  const tag = named.get(plain) ?? plain;
  const [primary = ''] = tag.split('-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/u.test(tag) || undetermined.has(primary)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}
