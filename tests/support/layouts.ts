import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'vitest';
import type { DecodedAudio } from '../../src/providers/audio/decode.ts';
import { record, type SpokenLine } from './voices.ts';

/** Customer on channel 0, agent on 1, a third person on 2. */
const lines: SpokenLine[] = [
  { channel: 1, voice: 'slt', text: 'thank you for calling how may i help you today' },
  { channel: 0, voice: 'rms', text: 'i would like to know the balance of my account' },
  { channel: 1, voice: 'slt', text: 'your current balance is two hundred dollars' },
  { channel: 2, voice: 'awb', text: 'can you ask about the other account' },
  { channel: 0, voice: 'rms', text: 'no that is all thank you' },
];

/** Speaks the call that all layouts are made of. */
export async function speakLayouts(folder: string): Promise<string> {
  return (await record(folder, { lines, format: 'flac', sampleRate: 8000 })).file;
}

const both = 'val(0)+val(1)';
const music = '0.15*(sin(2*PI*262*t)+sin(2*PI*330*t))*(0.3+0.7*lt(mod(t,0.5),0.3))';
const noise = (level: number): string => `${level}*(random(0)-0.5)`;
const hum = '0.03*sin(2*PI*50*t)+0.01*sin(2*PI*150*t)';
const ringing = '0.1*sin(2*PI*425*t)*lt(mod(t,5),1)';
const silent = '0*val(0)';

/** The spoken call in a layout of this name. */
export function laidOut(spoken: string, name: string): string {
  const channels = layouts.find((layout) => layout.name === name)?.channels ?? [];
  const file = path.join(path.dirname(spoken), `${name.replaceAll(/\W+/g, '-')}.wav`);
  const filter = `aeval=${channels.map((each) => each.replaceAll(',', String.raw`\,`)).join('|')}`;
  const result = spawnSync('ffmpeg', ['-v', 'error', '-y', '-i', spoken, '-af', filter, file]);
  expect(result.stderr.toString()).toBe('');
  return file;
}

export type Layout = {
  name: string;
  /** Expressions of its channels, as `aeval` of ffmpeg reads them. */
  channels: string[];
  layout: DecodedAudio['layout'];
  /** Those that somebody speaks on. */
  sounding: number[];
};

export const layouts: Layout[] = [
  { name: 'two people', channels: ['val(0)', 'val(1)'], layout: 'separate', sounding: [0, 1] },
  { name: 'two people, swapped', channels: ['val(1)', 'val(0)'], layout: 'separate', sounding: [0, 1] },
  { name: 'one channel', channels: [both], layout: 'mixed', sounding: [0] },
  { name: 'both on both', channels: [both, both], layout: 'mixed', sounding: [0] },
  { name: 'both on one, the other silent', channels: [both, silent], layout: 'mixed', sounding: [0] },
  { name: 'the first silent, both on the other', channels: [silent, both], layout: 'mixed', sounding: [1] },
  { name: 'both on one, hum on the other', channels: [both, hum], layout: 'mixed', sounding: [0] },
  { name: 'both on one, noise on the other', channels: [noise(0.05), both], layout: 'mixed', sounding: [1] },
  { name: 'both on one, ringing on the other', channels: [both, ringing], layout: 'mixed', sounding: [0] },
  {
    name: 'two people on a noisy line',
    channels: ['val(0)', 'val(1)'].map((each) => `${each}+${noise(0.02)}`),
    layout: 'separate',
    sounding: [0, 1],
  },
  {
    name: 'two people, one in hum much louder than the voice',
    channels: [`0.05*val(0)+0.1*sin(2*PI*50*t)`, 'val(1)'],
    layout: 'separate',
    sounding: [0, 1],
  },
  {
    name: 'two people, one of few words in noise',
    channels: [`val(0)*lt(t,7.5)+${noise(0.01)}`, 'val(1)'],
    layout: 'separate',
    sounding: [0, 1],
  },
  {
    name: 'two people with music on hold on both',
    channels: ['val(0)', 'val(1)'].map((each) => `${each}*lt(t,8)+${music}*gte(t,8)`),
    layout: 'separate',
    sounding: [0, 1],
  },
  {
    name: 'one channel with music on hold',
    channels: [`${both}*lt(t,8)+${music}*gte(t,8)`],
    layout: 'mixed',
    sounding: [0],
  },
  { name: 'three people', channels: ['val(0)', 'val(1)', 'val(2)'], layout: 'separate', sounding: [0, 1, 2] },
  {
    name: 'four channels, the last two silent',
    channels: ['val(0)', 'val(1)', silent, silent],
    layout: 'separate',
    sounding: [0, 1],
  },
  {
    name: 'five channels, two people in the middle',
    channels: [silent, silent, 'val(0)', 'val(1)', hum],
    layout: 'separate',
    sounding: [2, 3],
  },
  { name: 'six channels of one mix', channels: Array.from({ length: 6 }, () => both), layout: 'mixed', sounding: [0] },
  {
    name: 'eight channels, one of which sounds',
    channels: [...Array.from({ length: 7 }, () => silent), both],
    layout: 'mixed',
    sounding: [7],
  },
  { name: 'nobody', channels: [silent, silent], layout: 'mixed', sounding: [] },
];
