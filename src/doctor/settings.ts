import { findMisspelt } from '../config/config.ts';
import { type Finding, of } from './finding.ts';

/** Whether a variable of the environment was probably meant to be a setting. Wrong values end the start by themselves. */
export function examineSettings(env?: Record<string, string | undefined>): Finding[] {
  const say = of('settings');
  const misspelt = findMisspelt(env);
  return misspelt.length === 0 ? [say('ok', 'none is misspelt')] : misspelt.map((message) => say('warning', message));
}
