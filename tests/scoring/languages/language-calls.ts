import type { CheckAnswer } from '../../../src/model/scorecard.ts';
import type { TemplateKey } from '../../../src/domain/profiles/template-keys.ts';

/** One sentence of the good call for another, and the answers that change with it. */
type Change = { from: string; to: string; flips: Record<string, CheckAnswer> };

export type TemplateCalls = {
  /** Every check that applies passes, and no rule is broken. One sentence a line. */
  good: string;
  bad: string;
  /** What fails in the bad call. */
  failing: string[];
  changes: Change[];
};

export type LanguageCalls = Record<TemplateKey, TemplateCalls>;
