import { digitsIn, type Chain } from '../chains.ts';
import { isIban } from '../checksums.ts';
import { isQuantity, topicOf, type Conversation } from '../conversation.ts';
import { findPieces } from '../pieces.ts';
import { findRequests } from '../requests.ts';
import type { Finding } from '../spans.ts';
import type { TokenRange } from '../tokens.ts';

/** IBANs: by their check digits, or after the word. */
export function findIbans(conversation: Conversation): Finding[] {
  const places = [...checkedIbans(conversation), ...namedIbans(conversation), ...accountsWithCountry(conversation)];
  return places.map((place) => ({ kind: 'iban' as const, ...place }));
}

const ibanLengthMin = 15;
const ibanLengthMax = 34;

/** Any stretch of whole pieces that begins with two letters and passes the checksum. */
function checkedIbans({ chains }: Conversation): TokenRange[] {
  return chains.flatMap(({ pieces, text }) => {
    if (text.length < ibanLengthMin) return [];
    return pieces.flatMap((start, first) => {
      if (!/^[a-z]/.test(start.text)) return [];
      let said = '';
      for (const piece of pieces.slice(first, first + ibanLengthMax)) {
        said += piece.text;
        if (said.length > ibanLengthMax) break;
        if (isIban(said)) return [{ from: start.from, to: piece.to }];
      }
      return [];
    });
  });
}

const namedWithinTokens = 14;
const namedDigitsMin = 8;

function namedIbans(conversation: Conversation): TokenRange[] {
  const { leads, chains } = conversation;
  const told = leads.flatMap((lead) => {
    if (lead.topic !== 'iban') return [];
    const chain = chains.find(({ to }) => to > lead.to);
    return chain && chain.wideFrom - lead.to <= namedWithinTokens && isLong(chain) ? [wide(chain, lead.to)] : [];
  });
  const asked = findRequests(conversation, ({ topic }) => topic === 'iban' || topic === 'account');
  const answered = asked.flatMap(({ answers }) =>
    answers.flatMap((turn) =>
      chains
        .filter(
          (chain) => chain.from >= turn.from && chain.to <= turn.to && isLong(chain) && /^\p{L}{2}/u.test(chain.text),
        )
        .map((chain) => wide(chain, turn.from)),
    ),
  );
  return [...told, ...answered];
}

/** An account number with a country in front is an IBAN, also where a figure of it was misheard. */
function accountsWithCountry(conversation: Conversation): TokenRange[] {
  return conversation.chains.flatMap((chain) => {
    if (!/^[a-z]{2}\d{2}/.test(chain.text) || digitsIn(chain.text) < ibanLengthMin - 2) return [];
    return topicOf(conversation, chain) === 'account' ? [{ from: chain.wideFrom, to: chain.to }] : [];
  });
}

function isLong({ text }: Chain): boolean {
  return digitsIn(text) >= namedDigitsMin;
}

/** With the letters in front that may as well be words: they are the country. */
function wide({ wideFrom, to }: Chain, from: number): TokenRange {
  return { from: Math.max(wideFrom, from), to };
}

const accountDigitsMin = 6;
const accountDigitsMax = 24;
/** A Russian account number has 20 digits; with fewer, the same word means an invoice. */
const bareDigitsMin = 10;

/** Account numbers, and the numbers of banks beside them. */
export function findAccounts(conversation: Conversation): Finding[] {
  const { runs, tokens } = conversation;
  const places = runs.flatMap((run) => {
    const { length } = run.digits;
    if (length < accountDigitsMin || length > accountDigitsMax || isQuantity(conversation, run)) return [];
    const isBill = length < bareDigitsMin && (tokens[run.from - 1]?.word ?? '').startsWith('счет');
    return topicOf(conversation, run) === 'account' && !isBill ? [{ from: run.from, to: run.to }] : [];
  });
  const pieces = findPieces(conversation, {
    topic: 'account',
    digitsMin: accountDigitsMin,
    digitsMax: accountDigitsMax,
  });
  return [...places, ...pieces].map(({ from, to }) => ({ kind: 'bank_account' as const, from, to }));
}
