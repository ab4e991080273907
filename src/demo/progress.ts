import type { DemoCall } from './calls/demo-call.ts';
import type { CallState } from './run-calls.ts';
import { fit, isLive, paint, say } from './screen.ts';
import type { Style } from './screen.ts';

const look: Record<CallState, { mark: string; words: string; style: Style }> = {
  waiting: { mark: '·', words: 'waiting', style: 'dim' },
  speaking: { mark: '♪', words: 'being spoken', style: 'cyan' },
  uploading: { mark: '↑', words: 'being uploaded', style: 'cyan' },
  pending: { mark: '·', words: 'waiting for its turn', style: 'yellow' },
  processing: { mark: '…', words: 'being transcribed and scored', style: 'yellow' },
  completed: { mark: '✓', words: 'completed', style: 'green' },
  failed: { mark: '✗', words: 'failed', style: 'red' },
};

const titleWidth = 26;

/** One line for each call: redrawn on a terminal, printed on every change elsewhere. */
export class Progress {
  readonly #states: Map<DemoCall, CallState>;
  #isDrawn = false;

  constructor(calls: DemoCall[]) {
    this.#states = new Map(calls.map((call) => [call, 'waiting']));
    if (isLive()) this.#draw();
  }

  update(call: DemoCall, state: CallState): void {
    if (this.#states.get(call) === state) return;
    this.#states.set(call, state);
    if (isLive()) this.#draw();
    else say(describe(call, state));
  }

  #draw(): void {
    if (this.#isDrawn) process.stdout.write(`\u001B[${this.#states.size}A`);
    this.#isDrawn = true;
    for (const [call, state] of this.#states) {
      process.stdout.write('\u001B[2K');
      say(describe(call, state));
    }
  }
}

function describe(call: DemoCall, state: CallState): string {
  const { mark, words, style } = look[state];
  const format = `${call.format.toUpperCase()}, ${call.sampleRate / 1_000} kHz`;
  return `${paint(style, mark)} ${fit(call.title, titleWidth)} ${paint('dim', fit(format, 14))} ${paint(style, words)}`;
}
