import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** Whether the system would find a program of this name. Starting a shell to ask costs more than the rest of a start. */
export async function isOnPath(command: string): Promise<boolean> {
  return (await findOnPath(command)) !== null;
}

/** The first program of this name on the PATH, with its folder. */
export async function findOnPath(command: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, command);
    if (await isProgram(file)) return file;
  }
  return null;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
