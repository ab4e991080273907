import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const folder = '/proc/self/task';
/** How Node names the threads that collect garbage and compile for V8. */
const helperName = 'V8Worker';

/**
 * V8's helper threads yield to the event loop. On a busy machine Linux often puts them on the processor of the thread that
 * wakes them, where several of them at its own priority leave it a fraction. Gives their thread ids; none where the
 * system tells no threads.
 */
export function lowerV8Helpers(niceness: number): number[] {
  const helpers = threads().filter((id) => nameOf(id) === helperName);
  // Linux takes the id of a thread where others expect a process.
  for (const id of helpers) setPriority(id, niceness);
  return helpers;
}

function threads(): number[] {
  try {
    return readdirSync(folder).map(Number);
  } catch {
    return [];
  }
}

function nameOf(id: number): string {
  try {
    return readFileSync(`${folder}/${id}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
