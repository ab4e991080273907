import { access } from 'node:fs/promises';
import { isOnPath } from './command-path.ts';
import { installWithApt } from './apt.ts';
import { runCommand } from './run.ts';
import type { Run } from './run.ts';
import { tools } from './tools.ts';
import type { Tool, ToolName } from './tools.ts';

export type EnsureToolsOptions = {
  needed: ToolName[];
  /** If false, only says what would be installed. */
  mayInstall: boolean;
  /** Prints one line of plain text for the user. */
  say: (line: string) => void;
  run?: Run;
  hasCommand?: HasCommand;
  isRoot?: boolean;
};

type HasCommand = (command: string) => Promise<boolean>;

export type EnsureToolsResult = { missing: ToolName[]; installed: string[] };

type Manager = 'apt' | 'brew' | 'dnf' | 'pacman' | 'zypper';

const installCommands: Record<Manager, string> = {
  apt: 'apt-get install -y',
  brew: 'brew install',
  dnf: 'dnf install',
  pacman: 'pacman -S',
  zypper: 'zypper install',
};

/**
 * Finds missing programs and installs them on Debian and Ubuntu, after saying so. Elsewhere, or without `mayInstall`,
 * it says what to install; `missing` then names what is still missing. Throws if it may not install, if apt fails, or
 * if a program is still missing afterwards.
 */
export async function ensureTools(options: EnsureToolsOptions): Promise<EnsureToolsResult> {
  const { needed, mayInstall, say, run = runCommand, hasCommand = isOnPath } = options;
  const missing = await findMissingTools(needed, hasCommand);
  if (missing.length === 0) return { missing: [], installed: [] };
  say(`Missing on this machine: ${missing.map((name) => `${tools[name].name} (${tools[name].purpose})`).join(', ')}.`);
  const manager = await findManager(hasCommand);
  if (manager !== 'apt' || !mayInstall) {
    say(adviceFor(missing, manager));
    return { missing, installed: [] };
  }
  const packages = packagesFor(missing, 'apt');
  const isRoot = options.isRoot ?? process.geteuid?.() === 0;
  const elevation = await findElevation({ isRoot, packages, run, hasCommand });
  say(`Installing ${packages.join(', ')} with ${elevation.length > 0 ? 'sudo ' : ''}apt-get …`);
  await installWithApt({ packages, elevation, say, run });
  const stillMissing = await findMissingTools(missing, hasCommand);
  if (stillMissing.length > 0) {
    throw new Error(
      `apt-get reported success, but ${stillMissing.map((name) => tools[name].name).join(', ')} is still missing.`,
    );
  }
  say(`Installed ${packages.join(', ')}.`);
  return { missing: [], installed: packages };
}

/** The programs of the list that this machine lacks. */
export async function findMissingTools(needed: ToolName[], hasCommand = isOnPath): Promise<ToolName[]> {
  const look = async (name: ToolName) => ({ name, isThere: await isThere(tools[name], hasCommand) });
  const checks = await Promise.all(needed.map(look));
  return checks.filter((check) => !check.isThere).map((check) => check.name);
}

/** How to install them on this machine, in one sentence. */
export async function adviceOn(missing: ToolName[]): Promise<string> {
  return adviceFor(missing, await findManager(isOnPath));
}

async function isThere(tool: Tool, hasCommand: HasCommand): Promise<boolean> {
  for (const command of tool.commands) if (await hasCommand(command)) return true;
  for (const file of tool.files)
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}

async function findManager(hasCommand: HasCommand): Promise<Manager | undefined> {
  const commands = { apt: 'apt-get', dnf: 'dnf', zypper: 'zypper', pacman: 'pacman', brew: 'brew' } as const;
  for (const [manager, command] of Object.entries(commands)) {
    if (await hasCommand(command)) return manager as keyof typeof commands;
  }
  return undefined;
}

function packagesFor(names: ToolName[], manager: Manager): string[] {
  const found = names.flatMap((name) => {
    const packages: Tool['packages'] = tools[name].packages;
    return packages[manager] ?? [];
  });
  return [...new Set(found)];
}

function adviceFor(names: ToolName[], manager: Manager | undefined): string {
  const packages = manager ? packagesFor(names, manager) : [];
  if (!manager || packages.length === 0) {
    return `Please install: ${names.map((name) => tools[name].name).join(', ')}.`;
  }
  const unknown = names.filter((name) => packagesFor([name], manager).length === 0).map((name) => tools[name].name);
  const rest =
    unknown.length > 0 ? ` There is no package for ${unknown.join(', ')} here; build it from its source.` : '';
  const sudo = manager === 'brew' ? '' : 'sudo ';
  return `To install: ${sudo}${installCommands[manager]} ${packages.join(' ')}${rest}`;
}

type ElevationOptions = { isRoot: boolean; packages: string[]; run: Run; hasCommand: HasCommand };

/** Root needs nothing, everybody else sudo: silently if it asks for no password, else with a prompt on a terminal. */
async function findElevation({ isRoot, packages, run, hasCommand }: ElevationOptions): Promise<string[]> {
  if (isRoot) return [];
  if ((await run('sudo', ['-n', 'true'])).code === 0) return ['sudo', '-n'];
  if (process.stdin.isTTY && (await hasCommand('sudo'))) return ['sudo'];
  throw new Error(
    `Installing packages needs root's rights. Run this, then start again:\n  sudo apt-get install -y ${packages.join(' ')}`,
  );
}
