/** Small words that people insert into a phrase; at most two are skipped. */
export const WEAK: ReadonlySet<string> = new Set(
  `just really very much actually also now then so oh well please kindly perhaps quickly there already even the a an to
  for uh like maybe quite totally auch mal bitte gerne gern doch denn dann jetzt einfach sehr ganz noch eben eigentlich wohl etwa uberhaupt muy pues
  bien tambien ahora entonces ну вот очень уже сейчас же бы пожалуйста`.split(/\s+/u),
);
/** Words that invert a sentence: never confused with others, never skipped. */
export const FIRM: ReadonlySet<string> = new Set(
  `not no never none nothing nobody without unable if un off cannot neither nor know now note yes on in can will
  nicht nichts kein keine keinen keiner keinem keinerlei nie niemals niemand ohne ja nein nunca jamas nadie tampoco si
  не ни нет нельзя никогда ничего никто без да`.split(/\s+/u),
);
/** A `*` in a phrase does not span these. */
export const TURNING: ReadonlySet<string> = new Set(['not', 'nicht', 'kein', 'keine', 'keinen', 'nunca', 'не', 'нет']);
