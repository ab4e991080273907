import { findMisspelt } from '../config/config.ts';
import { type Finding, of } from './finding.ts';

/** Whether a variable of the environment is probably a misspelt setting. Wrong values stop the start anyway. */
export function examineSettings(env?: Record<string, string | undefined>): Finding[] {
  const say = of('settings');
  const misspelt = findMisspelt(env);
  return misspelt.length === 0 ? [say('ok', 'none is misspelt')] : misspelt.map((message) => say('warning', message));
}
