import { editDistance } from '../lib/edit-distance.ts';
import type { Lead } from './lead.ts';
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
const OTHERS = new Set(
  'номеркассы passport passports geheimnis cardholder tarjetas tarjetón'.split(' ').map(plainWord),
);

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
  const known = { whole: new Map<string, Topic | null>(), split: new Map<string, Topic | null>() };
  return tokens.flatMap((token, from) => {
    if (!targets.has(token.word.slice(0, firstLetters)) || OTHERS.has(token.word)) return [];
    let joined = '';
    const leads: Lead[] = [];
    for (let at = from; at < Math.min(tokens.length, from + partsMax); at += 1) {
      const next = tokens[at];
      if (next?.kind !== 'word' || next.segment !== token.segment || (at > from && /[.,;:?!]/.test(next.gap))) break;
      joined += next.word;
      const isSplit = at > from;
      const kept = known[isSplit ? 'split' : 'whole'];
      const topic = kept.get(joined) ?? (kept.has(joined) ? null : nearest(joined, isSplit));
      kept.set(joined, topic);
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
    if (editDistance(joined, word, edits) <= edits) return topic;
  }
  return null;
}
