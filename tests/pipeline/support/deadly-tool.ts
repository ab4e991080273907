import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toneWav } from './recording-server.ts';

const marks = { poison: 'POISON-FOR-WORKERS', slow: 'SLOW-FOR-WORKERS' };

/** A second of sound; `poison` kills whichever process has it decoded, `slow` is decoded once it is let. */
export function markedWav(mark: keyof typeof marks): Buffer {
  return Buffer.concat([toneWav(1000), Buffer.from(marks[mark])]);
}

export type DeadlyTool = { path: string; letSlowPass(): Promise<void> };

/** An ffmpeg on the PATH that treats marked recordings as said. */
export async function createDeadlyTool(): Promise<DeadlyTool> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deadly-'));
  const real = execFileSync('which', ['ffmpeg']).toString().trim();
  await mkdir(path.join(folder, 'bin'));
  const held = path.join(folder, 'held');
  await mkdir(held);
  const script = `#!/bin/sh
for argument in "$@"; do
  case "$argument" in file:*) file="\${argument#file:}" ;; esac
done
if grep -q ${marks.poison} "$file" 2>/dev/null; then kill -9 $PPID; exit 1; fi
if grep -q ${marks.slow} "$file" 2>/dev/null; then
  while [ -d "${held}" ] && kill -0 $PPID 2>/dev/null; do sleep 0.1; done
fi
exec "${real}" "$@"
`;
  const file = path.join(folder, 'bin', 'ffmpeg');
  await writeFile(file, script);
  await chmod(file, 0o755);
  return {
    path: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    letSlowPass: () => rm(held, { recursive: true }),
  };
}
