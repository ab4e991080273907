import type { Lead } from './leads.ts';
import type { Topic } from './lexicon.ts';
import { plainWord, type Token } from './tokens.ts';

/** Words that name a secret, and that recognisers get wrong by a letter, or write in two: "past word", "kreditkahte". */
const TARGETS: Partial<Record<Topic, string>> = {
  password:
    'password passwords passwort kennwort contraseña passphrase codeword codewort losungswort geheimwort sicherheitsfrage кодовоеслово секретноеслово контрольноеслово passcode',
  pin: 'geheimzahl geheimnummer пинкод pincode',
  code: 'prüfnummer prüfziffer sicherheitscode sicherheitsnummer bestätigungscode securitycode verificationcode códigodeseguridad кодбезопасности кодподтверждения',
  card: 'kartennummer kreditkarte kreditkartennummer cardnumber creditcard debitcard tarjeta númerodetarjeta номеркарты картойоплаты',
  id: 'socialsecurity nationalinsurance personalausweis ausweisnummer steuernummer sozialversicherungsnummer reisepass führerschein pasaporte паспорт снилс',
  birth: 'dateofbirth geburtsdatum fechadenacimiento датарождения',
  phone: 'phonenumber telefonnummer handynummer rufnummer teléfono номертелефона',
  account: 'accountnumber kontonummer bankleitzahl númerodecuenta',
  expiry: 'expirydate expirationdate ablaufdatum fechadecaducidad срокдействия',
};
/** Words of their own that are as near. */
const OTHERS = new Set('passport passports geheimnis cardholder tarjetas tarjetón'.split(' ').map(plainWord));

const lettersMin = 6;
const lettersOfTwoEditsMin = 8;
const partsMax = 3;
const firstLetters = 2;

const targets = Map.groupBy(
  Object.entries(TARGETS).flatMap(([topic, words]) =>
    words.split(' ').map((word) => ({ topic: topic as Topic, word: plainWord(word) })),
  ),
  ({ word }) => word.slice(0, firstLetters),
);

/** Leads of up to three words that are nearly one of the targets. */
export function findNearMisses(tokens: readonly Token[]): Lead[] {
  const known = new Map<string, Topic | null>();
  return tokens.flatMap((token, from) => {
    if (!targets.has(token.word.slice(0, firstLetters)) || OTHERS.has(token.word)) return [];
    let joined = '';
    const leads: Lead[] = [];
    for (let at = from; at < Math.min(tokens.length, from + partsMax); at += 1) {
      const next = tokens[at];
      if (next?.kind !== 'word' || next.segment !== token.segment || (at > from && /[.,;:?!]/.test(next.gap))) break;
      joined += next.word;
      const topic = known.get(joined) ?? nearest(joined, at > from);
      known.set(joined, topic);
      if (!topic) continue;
      leads.push({ topic, from, to: at + 1 });
      break;
    }
    return leads;
  });
}

function nearest(joined: string, isSplit: boolean): Topic | null {
  if (joined.length < lettersMin || OTHERS.has(joined)) return null;
  for (const { topic, word } of targets.get(joined.slice(0, firstLetters)) ?? []) {
    const edits = isSplit && word.length >= lettersOfTwoEditsMin && !word.startsWith('code') ? 2 : 1;
    if (Math.abs(word.length - joined.length) <= edits && distance(joined, word, edits) <= edits) return topic;
  }
  return null;
}

/** Edits (a letter more, less or another, two exchanged) between two words; more than `most` is as good as any. */
function distance(one: string, other: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      next.push(swapped ? Math.min(cost, (before[j - 2] ?? 0) + 1) : cost);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[other.length] ?? most + 1;
}
