/** NIST SP 800-63B, 3.1.1: length counts, not kinds of characters; common passwords are refused. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 256;

/** What the passwords that are guessed first are made of, without digits, signs and repetition. */
const commonWords = (
  'password passw passwort kennwort motdepasse contrasena senha parola haslo wachtwoord welcome willkommen bienvenue letmein ' +
  'changeme changeit secret secure administrator admin root user guest default login access master superman batman ' +
  'dragon monkey football baseball basketball princess sunshine iloveyou trustno starwars whatever freedom shadow ' +
  'michael jordan liverpool chelsea arsenal computer internet samsung google facebook microsoft company test testing ' +
  'demo qwerty qwertz azerty asdf asdfgh zxcvbn qazwsx abc abcd abcdef earshot summer winter spring autumn hello ' +
  'letme inplease please enter correcthorsebatterystaple thisisapassword mypassword yourpassword newpassword nopassword ' +
  'mynameis iamthe one two three'
).split(' ');
const common = new Set(commonWords);

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
];

export type Owner = { email: string; name: string };

/** Why the password is refused; null if it is accepted. */
export function findPasswordFault(password: string, owner: Owner): string | null {
  const length = Array.from(password).length;
  if (password.includes('\0')) return 'The password contains a character that cannot be typed.';
  if (length < passwordLengthMin) return `The password needs ${passwordLengthMin} characters or more.`;
  if (length > passwordLengthMax) return `The password may have ${passwordLengthMax} characters at most.`;
  if (isAboutOwner(password, owner)) return 'The password is made of your own name or address.';
  if (isCommon(password)) return 'This password is one of those that are guessed first. Choose another one.';
  return null;
}

function isCommon(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (isRepetition(plain) || rows.some((row) => isFromRow(plain, row))) return true;
  const candidates = [plain, unleet(plain.replace(/[^\p{L}]+$/u, ''))].map((text) => text.replace(/[^\p{L}]+/gu, ''));
  return candidates.some((letters) => letters.length === 0 || isMadeOf(letters, common)) || isOnlyDigitsWithFew(plain);
}

/** Fewer than four letters among digits: a date or a number, with a suffix. */
function isOnlyDigitsWithFew(text: string): boolean {
  return /^[\d\p{P}\p{S}\s]*\p{L}{0,3}[\d\p{P}\p{S}\s]*$/u.test(text);
}

/** `abcabcabcabc`, `aaaaaaaaaaaa`. */
function isRepetition(text: string): boolean {
  return /^(.{1,6}?)\1+.{0,5}$/su.test(text) && new Set(text).size <= 6;
}

function isFromRow(text: string, row: string): boolean {
  const backwards = Array.from(row).toReversed().join('');
  const core = text.replace(/[^a-z0-9]+/g, '');
  return core.length > 0 && [row, backwards].some((line) => line.includes(core) || core.startsWith(line.slice(0, 10)));
}

function unleet(text: string): string {
  const letters: Record<string, string> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's',
    '!': 'i',
  };
  return text.replace(/[013457@$!]/g, (sign) => letters[sign] ?? sign);
}

function isAboutOwner(password: string, { email, name }: Owner): boolean {
  const letters = lettersOf(password);
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const words = [email, local, domain, ...domain.split('.'), name, ...name.split(/\s+/), ...local.split(/[._+-]/)]
    .map(lettersOf)
    .filter((word) => word.length >= 3);
  return letters.length > 0 && isMadeOf(letters, new Set(words));
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, '');
}

/** Whether the text is nothing but these words, one after the other. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  const reachable = new Set([0]);
  for (let start = 0; start < text.length; start += 1) {
    if (!reachable.has(start)) continue;
    for (const word of words) if (text.startsWith(word, start)) reachable.add(start + word.length);
  }
  return reachable.has(text.length);
}
