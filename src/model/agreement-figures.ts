/** How answers to labelled calls agree with a reader. Made by `npm run evaluate -- --unseen --write`. */
export const AGREEMENT_FIGURES = { calls: 85, answers: 1105, given: 707, agreeing: 682 };
