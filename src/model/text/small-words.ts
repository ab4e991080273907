/** Small words that people slip into a phrase; at most two are passed over. */
export const WEAK: ReadonlySet<string> = new Set(
  `just really very much actually also now then so oh well please kindly perhaps quickly there already even the a an to
  for uh like maybe quite totally auch mal bitte gerne gern doch denn dann jetzt einfach sehr ganz noch eben eigentlich wohl etwa uberhaupt muy pues
  bien tambien ahora entonces ну вот очень уже сейчас же бы пожалуйста`.split(/\s+/u),
);
/** Words that turn a sentence round: never mistaken for others, never passed over. */
export const FIRM: ReadonlySet<string> = new Set(
  `not no never none nothing nobody without unable if un off cannot neither nor know now note yes on in can will
  nicht nichts kein keine keinen keiner keinem keinerlei nie niemals niemand ohne ja nein nunca jamas nadie tampoco si
  не ни нет нельзя никогда ничего никто без да`.split(/\s+/u),
);
/** No gap reaches over these. */
export const TURNING: ReadonlySet<string> = new Set(['not', 'nicht', 'kein', 'keine', 'keinen', 'nunca', 'не', 'нет']);
