import { spawn } from 'node:child_process';

export type RunResult = { code: number; output: string };

/** Runs a program to its end; `output` combines both streams. The code is 127 if the program does not exist. */
export type Run = (command: string, args: string[]) => Promise<RunResult>;

export const runCommand: Run = async (command, args) => {
  const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
};
