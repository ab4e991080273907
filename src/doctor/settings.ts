import { findMisspelt, type Config } from '../config/config.ts';
import { adviceOn, findMissingTools } from '../provision/system-packages.ts';
import { tools, type ToolName } from '../provision/tools.ts';
import { listRecognisers } from '../providers/speech/models/installed.ts';
import { engineNameOf } from '../providers/speech/select.ts';
import { speechSettingsOf } from '../setup/speech-settings.ts';
import { type Finding, of } from './finding.ts';

/** External programs. Without them, uploads are refused and calls fail. */
export async function examinePrograms(config: Config): Promise<Finding> {
  const say = of('programs');
  const settings = speechSettingsOf(config);
  const engine = engineNameOf(settings);
  if (engine === 'local' && listRecognisers(settings.modelsFolder, settings.model).length === 0) {
    return say('error', 'SPEECH_ENGINE=local has no model: npm run admin -- models pull parakeet-tdt-0.6b-v3');
  }
  const needed: ToolName[] = [
    'ffmpeg',
    'ffprobe',
    ...(engine === 'pocketsphinx' ? (['pocketsphinx', 'pocketsphinxModel'] as const) : []),
  ];
  const missing = await findMissingTools(needed);
  if (missing.length === 0)
    return say('ok', `${needed.map((name) => tools[name].name).join(', ')}; speech by ${engine}`);
  const what = missing.map((name) => `${tools[name].name} (${tools[name].purpose})`).join(', ');
  return say('error', `Missing: ${what}. ${await adviceOn(missing)}`);
}

/** Whether a variable of the environment is probably a misspelt setting. Wrong values stop the start anyway. */
export function examineSettings(env?: Record<string, string | undefined>): Finding[] {
  const say = of('settings');
  const misspelt = findMisspelt(env);
  return misspelt.length === 0 ? [say('ok', 'none is misspelt')] : misspelt.map((message) => say('warning', message));
}
