import type { Conversation } from '../conversation.ts';
import { turnAt } from '../turns.ts';
import type { TokenRange } from '../tokens.ts';

/** Words of who signs in somewhere. */
const SIGNING_IN =
  /^(?:log|login|logged|logging|sign|signin|signed|credentials?|invalid|locked|portal|account|pw|pwd|passw.*|.*passwort.*|kennwort.*|zugang.*|anmeld.*|einloggen|eingeloggt|konto|gesperrt|acceder|acceso|entrar|entra|contrasena|clave|usuario|credenciales|войти|вход.*|логин.*|парол.*|пускает|кабинет.*|ввожу|ввела|ввел|typed|entered|tecleo|tippe|eingegeben)$/u;
const turnsBefore = 2;
const lengthMin = 7;
/** Letters of both cases and figures, or with a sign: as nobody writes a word or the number of a thing. */
const COMPOSED = /^(?=.*\p{L})(?=.*\d)(?:(?=.*\p{Ll})(?=.*\p{Lu})|(?=.*[!#$%^*?_@&~+]))[\p{L}\d!#$%^*?_@&~+.-]+$/u;
const NO_PASSWORDS = /@.+\.\w{2,}$|^(?:https?|www)|\.(?:com|de|es|ru|pdf|docx?|xlsx?|jpe?g|png|exe|zip)$/i;

/** "I typed Bluebell1986 and it says invalid credentials": what looks like a password where somebody signs in. */
export function findTyped({ texts, tokens, turns }: Conversation): TokenRange[] {
  return tokens.flatMap((token, at) => {
    if (token.kind === 'placeholder' || (at > 0 && tokens[at - 1]?.segment === token.segment && !/\s/.test(token.gap)))
      return [];
    const word = /^\S*/.exec(texts[token.segment]?.slice(token.from) ?? '')?.[0].replace(/[.,;:?!)"'»”]+$/, '') ?? '';
    if (word.length < lengthMin || !COMPOSED.test(word) || NO_PASSWORDS.test(word)) return [];
    const index = turnAt(turns, at);
    const [first, last] = [turns[Math.max(0, index - turnsBefore)], turns[index]];
    const isSigningIn = tokens.slice(first?.from, last?.to).some((each) => SIGNING_IN.test(each.word));
    if (!isSigningIn) return [];
    const end = tokens.findIndex(
      (each, place) => place > at && (each.segment !== token.segment || each.from >= token.from + word.length),
    );
    return [{ from: at, to: end < 0 ? tokens.length : end }];
  });
}
