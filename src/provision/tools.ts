import { pocketsphinxModelFolders, pocketsphinxProgram } from '../providers/speech/pocketsphinx-package.ts';

/** Programs that Earshot needs but cannot ship, and the package of each system that contains them. */
export type Tool = {
  name: string;
  purpose: string;
  /** One of these on the PATH is enough. */
  commands: string[];
  /** One of these files or folders is enough; for data without a command. */
  files: string[];
  packages: { apt: string; brew?: string; dnf?: string; pacman?: string; zypper?: string };
};

export const tools = {
  ffmpeg: {
    name: 'ffmpeg',
    purpose: 'decodes recordings',
    commands: ['ffmpeg'],
    files: [],
    packages: { apt: 'ffmpeg', brew: 'ffmpeg', dnf: 'ffmpeg-free', pacman: 'ffmpeg', zypper: 'ffmpeg' },
  },
  ffprobe: {
    name: 'ffprobe',
    purpose: 'reads what is inside a recording',
    commands: ['ffprobe'],
    files: [],
    packages: { apt: 'ffmpeg', brew: 'ffmpeg', dnf: 'ffmpeg-free', pacman: 'ffmpeg', zypper: 'ffmpeg' },
  },
  flite: {
    name: 'flite',
    purpose: 'speaks the sample calls',
    commands: ['flite'],
    files: [],
    packages: { apt: 'flite', brew: 'flite', dnf: 'flite', pacman: 'flite', zypper: 'flite' },
  },
  pocketsphinx: {
    name: 'pocketsphinx',
    purpose: 'turns speech into text without any outside service',
    commands: [pocketsphinxProgram],
    files: [],
    packages: { apt: 'pocketsphinx', brew: 'cmu-pocketsphinx', dnf: 'pocketsphinx' },
  },
  pocketsphinxModel: {
    name: 'the English model of pocketsphinx',
    purpose: 'tells it how English sounds',
    commands: [],
    files: pocketsphinxModelFolders,
    packages: { apt: 'pocketsphinx-en-us', brew: 'cmu-pocketsphinx', dnf: 'pocketsphinx-models' },
  },
  curl: {
    name: 'curl',
    purpose: 'runs the examples of the README and the dashboard in the tests',
    commands: ['curl'],
    files: [],
    packages: { apt: 'curl', brew: 'curl', dnf: 'curl', pacman: 'curl', zypper: 'curl' },
  },
  chromium: {
    name: 'chromium',
    purpose: 'opens the pages of the service in the tests',
    commands: ['chromium', 'chromium-browser', 'google-chrome'],
    files: [],
    packages: { apt: 'chromium', brew: 'chromium', dnf: 'chromium', pacman: 'chromium', zypper: 'chromium' },
  },
  headlessShell: {
    name: 'chromium-headless-shell',
    purpose: 'opens them in half the time, as a Chromium without a window',
    commands: ['chromium-headless-shell', 'chrome-headless-shell'],
    files: [],
    packages: { apt: 'chromium-headless-shell' },
  },
  redis: {
    name: 'redis-server',
    purpose: 'counts requests over two instances in the tests',
    commands: ['redis-server'],
    files: [],
    packages: { apt: 'redis-server', brew: 'redis', dnf: 'redis', pacman: 'redis', zypper: 'redis' },
  },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;
