import type { Config } from '../config/config.ts';
import { modelsFolder } from '../providers/speech/models/installed.ts';
import type { SpeechSettings } from '../providers/speech/select.ts';

/** The settings that choose the speech engine. */
export function speechSettingsOf(config: Config): SpeechSettings & { modelsFolder: string } {
  return {
    engine: config.SPEECH_ENGINE,
    model: config.SPEECH_MODEL,
    openaiApiKey: config.OPENAI_API_KEY,
    openaiBaseUrl: config.OPENAI_BASE_URL,
    deepgramApiKey: config.DEEPGRAM_API_KEY,
    deepgramBaseUrl: config.DEEPGRAM_BASE_URL,
    modelsFolder: modelsFolder(config.DATA_DIR),
    memoryBytesMax: config.SPEECH_MEMORY_MAX_MB * 1_000_000,
    processesMax: config.SPEECH_PROCESSES,
  };
}
