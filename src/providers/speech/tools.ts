import { ProgramMissingError, runChild } from '../audio/child.ts';
import { findModelDir } from './pocketsphinx.ts';

export type ToolName = 'ffmpeg' | 'ffprobe' | 'pocketsphinx' | 'flite';

export type ToolStatus = {
  name: ToolName;
  isAvailable: boolean;
  /** Null where it is missing or does not tell. */
  version: string | null;
  /** One line for an operator: what is there, or what to install. */
  message: string;
};

type Tool = { name: ToolName; command: string; args: string[]; version: RegExp; packages: string };

const tools: Tool[] = [
  { name: 'ffmpeg', command: 'ffmpeg', args: ['-version'], version: /version (\S+)/, packages: 'ffmpeg' },
  { name: 'ffprobe', command: 'ffprobe', args: ['-version'], version: /version (\S+)/, packages: 'ffmpeg' },
  {
    name: 'pocketsphinx',
    command: 'pocketsphinx_batch',
    args: [],
    version: /pocketsphinx (\d\S*)/i,
    packages: 'pocketsphinx pocketsphinx-en-us',
  },
  { name: 'flite', command: 'flite', args: ['--version'], version: /flite-(\S+)/, packages: 'flite' },
];

/** Looks for the programs that decode, recognise and speak. Never throws for a missing one. */
export async function probeTools(signal?: AbortSignal): Promise<ToolStatus[]> {
  return Promise.all(tools.map((tool) => probe(tool, signal)));
}

async function probe(tool: Tool, signal?: AbortSignal): Promise<ToolStatus> {
  const { name, command, args, version, packages } = tool;
  try {
    const { stdout, stderr } = await runChild({ command, args, signal, timeoutMs: 10_000 });
    const found = version.exec(`${stdout}\n${stderr}`)?.[1] ?? null;
    if (name === 'pocketsphinx' && !findModelDir()) {
      const message = 'pocketsphinx has no English model: apt-get install pocketsphinx-en-us';
      return { name, isAvailable: false, version: found, message };
    }
    return { name, isAvailable: true, version: found, message: found ? `${name} ${found}` : `${name} is installed` };
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    return { name, isAvailable: false, version: null, message: `${name} is missing: apt-get install ${packages}` };
  }
}
