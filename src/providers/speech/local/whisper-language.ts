/** The languages of Whisper, as its tokenizer names them (openai/whisper, tokenizer.py, LANGUAGES). */
const languages = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk ' +
    'te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ' +
    'ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
  ).split(' '),
);

const otherNames: Record<string, string> = { nb: 'no', iw: 'he', jv: 'jw', fil: 'tl' };

/** Whisper's own name for a language with several names. */
export function whisperName(language: string): string {
  return otherNames[language] ?? language;
}

/** Empty lets Whisper detect it: an unknown language would end the process. */
export function whisperLanguage(language: string | null): string {
  const name = language === null ? '' : whisperName(language);
  return languages.has(name) ? name : '';
}
