import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../api/upload-support.ts';
import type { TestMember } from '../support/app.ts';
import { startDashboard, type Dashboard } from '../support/dashboard.ts';
import { writeTones } from '../support/models/tones.ts';

/** For what the service has to be asked about. */
const patient = { timeout: 45_000 };
/** For what the pipeline has to do. */
const veryPatient = { timeout: 40_000 };

const cardNumber = '4929123456789014';
/** Each party on a channel of its own, and each taken for the other. */
const lines = [
  { role: 'customer', channel: 0, text: 'Thank you for calling Bluebird, my name is Sarah. How can I help you today?' },
  { role: 'agent', channel: 1, text: `I would like to pay my bill. My card number is ${cardNumber}` },
  { role: 'customer', channel: 0, text: 'Thank you, I have paid the bill for you. Is there anything else?' },
  { role: 'agent', channel: 1, text: 'No, thank you.' },
  { role: 'customer', channel: 0, text: 'Thank you for calling Bluebird. Goodbye.' },
].map((line, index) => ({ ...line, index, startMs: index * 4_000 + 500, endMs: index * 4_000 + 3_500 }));
const durationMs = 20_000;

let dashboard: Dashboard;
let supervisor: TestMember;
let callId: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  const { owner, join, t } = dashboard;
  const url = `/api/v1/projects/${owner.projectId}`;
  await t.as(owner, { method: 'PATCH', url, payload: { settings: { redactPii: true } } });
  supervisor = await join('supervisor');
  callId = await uploadTwoChannels(owner);
}, 300_000);
afterAll(() => dashboard?.close());

async function uploadTwoChannels(member: TestMember): Promise<string> {
  const { baseUrl } = dashboard;
  const folder = await mkdtemp(path.join(tmpdir(), 'earshot-call-'));
  const tracks = [0, 1].map((channel) => path.join(folder, `${channel}.wav`));
  for (const [channel, file] of tracks.entries()) {
    const own = lines.filter((line) => line.channel === channel);
    await writeTones(
      file,
      durationMs,
      own.map(({ startMs, endMs }) => ({ hz: 320, startMs, endMs })),
    );
  }
  const recording = path.join(folder, 'call.wav');
  const inputs = tracks.flatMap((file) => ['-i', file]);
  spawnSync('ffmpeg', ['-v', 'error', ...inputs, '-filter_complex', 'amerge=inputs=2', recording]);
  const segments = lines.map((line) => {
    const words = line.text.split(' ');
    const eachMs = (line.endMs - line.startMs) / words.length;
    const startMs = (at: number): number => Math.round(line.startMs + at * eachMs);
    return {
      ...line,
      speaker: line.role,
      words: words.map((text, at) => ({ text, startMs: startMs(at), endMs: startMs(at + 1) })),
    };
  });
  const { status, body } = await send(baseUrl, {
    member,
    parts: [
      { name: 'projectId', content: member.projectId },
      { name: 'metadata', content: JSON.stringify({ agentName: 'Ann Archer', channelMap: { agent: 1, customer: 0 } }) },
      { name: 'transcript', content: JSON.stringify({ language: 'en', channels: 2, segments }) },
      { name: 'file', fileName: 'call.wav', content: await readFile(recording) },
    ],
  });
  await rm(folder, { recursive: true });
  expect(status).toBe(201);
  return body.data.id;
}

/** Null where too little of the call can be judged, as by roles that are not theirs. */
const score = async (): Promise<number | null> => {
  const { t, owner } = dashboard;
  return (await t.as(owner, { url: `/api/v1/records/${callId}` })).body.data.qualityScore;
};

/** The call's screen, and where its player takes the recording from. */
async function openCall(member: TestMember): Promise<{ page: Page; address: Promise<string> }> {
  const page = await dashboard.open(member, '/calls');
  const address = page.waitForRequest((request) => request.resourceType() === 'media', veryPatient);
  await page.getByRole('link', { name: 'Ann Archer' }).click();
  // It may be under way still: the screen shows what has been said as soon as that is there.
  await page.locator('article').first().waitFor(veryPatient);
  return { page, address: address.then((request) => request.url()) };
}

describe('a call of a project that redacts', () => {
  it('shows a supervisor where something was taken out, in the words and on the wave, and is silent there', async () => {
    const { page, address } = await openCall(supervisor);
    const words = page.getByTitle('Redacted, as set for this project');
    expect((await words.allTextContents()).join(' ')).toBe('[card number]');
    expect(await page.content()).not.toContain(cardNumber);
    const recording = page.getByRole('region', { name: 'Recording' });
    await recording.getByRole('list', { name: 'Marked on the wave' }).getByText('Redacted 1').waitFor(patient);
    const band = await recording.locator('.bg-ink\\/75.absolute').boundingBox();
    const wave = await recording.getByRole('slider').boundingBox();
    const { redactions } = await readTranscript();
    expect(redactions).toHaveLength(1);
    const toMs = (x: number): number => ((x - (wave?.x ?? 0)) / (wave?.width ?? 1)) * durationMs;
    expect(Math.abs(toMs(band?.x ?? 0) - redactions[0].startMs)).toBeLessThan(100);
    expect(Math.abs(toMs((band?.x ?? 0) + (band?.width ?? 0)) - redactions[0].endMs)).toBeLessThan(100);
    const [taken, ...kept] = await loudness(page, { address: await address, stretches: await stretches() });
    expect(taken).toBe(0);
    expect(Math.min(...kept)).toBeGreaterThan(0.1);
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText('1 redacted').waitFor(patient);
  });

  it('gives an owner the whole recording, and transcripts as files without what was taken out', async () => {
    const { page, address } = await openCall(dashboard.owner);
    const heard = await loudness(page, { address: await address, stretches: await stretches() });
    expect(Math.min(...heard)).toBeGreaterThan(0.1);
    const { text, segments } = await readTranscript();
    const files = [];
    for (const label of ['WebVTT subtitles', 'SubRip subtitles', 'Plain text', 'JSON with word times']) {
      await page.getByRole('button', { name: 'More' }).click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: label }).click();
      const file = await downloading;
      files.push({ name: file.suggestedFilename(), content: await readFile(await file.path(), 'utf8') });
    }
    expect(files.map(({ name }) => name)).toEqual(['vtt', 'srt', 'txt', 'json'].map((type) => `${callId}.${type}`));
    const [vtt = '', srt = '', txt = '', json = ''] = files.map(({ content }) => content);
    expect([vtt, srt, txt, json].filter((content) => content.includes(cardNumber.slice(0, 8)))).toEqual([]);
    expect(vtt.match(/^00:00:\d\d\.500 --> 00:00:\d\d\.500$/gm)).toHaveLength(lines.length);
    expect(vtt).toContain('My card number is [card number]');
    expect(srt.startsWith('1\n00:00:00,500 --> 00:00:03,500\n')).toBe(true);
    expect(srt).toContain('\n5\n00:00:16,500 --> 00:00:19,500\n');
    expect(txt.trim().split('\n')).toHaveLength(lines.length);
    expect(JSON.parse(json).data).toMatchObject({ recordId: callId, text, segments });
  });
});

describe('speakers that were taken for each other', () => {
  it('are swapped in transcript, wave and score, side by side with before; a second time takes it back', async () => {
    const { page } = await openCall(supervisor);
    const wrong = await score();
    expect(await speakers(page)).toEqual(lines.map(({ role }) => role));
    const before = { Agent: [false, true, false, true, false], Customer: [true, false, true, false, true] };
    await expect.poll(() => lanes(page), patient).toEqual(before);

    await swap(page, 2);
    const right = await score();
    expect(right).toBeGreaterThan(wrong ?? -1);
    expect(await speakers(page)).toEqual(lines.map(({ role }) => (role === 'agent' ? 'customer' : 'agent')));
    await expect.poll(() => lanes(page), patient).toEqual({ Agent: before.Customer, Customer: before.Agent });
    await page.getByRole('button', { name: 'Compare' }).click();
    const table = page.getByRole('region', { name: 'Scores of both versions' });
    await table
      .getByRole('row', { name: new RegExp(`^Quality score ${wrong ?? '(?:no score|–)'} ${right}`) })
      .waitFor(patient);
    await table.getByRole('row', { name: /^Greeting/ }).waitFor();
    await page.keyboard.press('Escape');

    await swap(page, 3);
    expect(await score()).toBe(wrong);
    expect(await speakers(page)).toEqual(lines.map(({ role }) => role));
    await expect.poll(() => lanes(page), patient).toEqual(before);
  });
});

async function readTranscript() {
  const { t, owner } = dashboard;
  return (await t.as(owner, { url: `/api/v1/records/${callId}/transcript` })).body.data;
}

async function swap(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Swap agent and customer' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Swap' }).click();
  await page.getByText(`Version ${version} is ready`).waitFor(veryPatient);
  const first = page.locator('article').first();
  await first.getByText(version % 2 === 0 ? /^(Ann Archer · )?Agent$/ : /Customer$/).waitFor(patient);
}

/** Who says each utterance, by the words above it. */
async function speakers(page: Page): Promise<string[]> {
  const names = await page.locator('article p.font-semibold').allTextContents();
  return names.map((name) => name.replace(/^.* · /, '').toLowerCase());
}

type Lanes = Record<'Agent' | 'Customer', boolean[]>;

/** For each party's lane, whether its bars rise in the middle of each utterance. */
async function lanes(page: Page): Promise<Lanes> {
  const middles = lines.map(({ startMs, endMs }) => (startMs + endMs) / 2 / durationMs);
  return page.evaluate<Lanes>(`(() => {
    const region = document.querySelector('[aria-label="Recording"]');
    const host = [...region.querySelectorAll('*')].find((element) => element.shadowRoot);
    const rows = [...(host?.shadowRoot.querySelectorAll('.canvases canvas') ?? [])].map((canvas) => {
      // A copy that is meant to be read: the browser warns of reading back what it draws on its graphics card.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      return copy.getImageData(0, Math.round(canvas.height * 0.2), canvas.width, 1).data;
    });
    const rises = (row, share) => {
      const at = Math.round((share * row.length) / 4) - 4;
      return row.subarray(at * 4, at * 4 + 32).some((value, index) => index % 4 === 3 && value > 0);
    };
    const [agent, customer] = rows.map((row) => ${JSON.stringify(middles)}.map((share) => rises(row, share)));
    return { Agent: agent, Customer: customer };
  })()`);
}

type Stretch = { from: number; to: number; channel: number };

/** What was taken out, and an utterance on each channel. */
async function stretches(): Promise<Stretch[]> {
  const [taken] = (await readTranscript()).redactions;
  const said = [lines[0], lines[3]].map((line) => ({ from: line?.startMs, to: line?.endMs, channel: line?.channel }));
  return [{ from: taken.startMs, to: taken.endMs, channel: 1 }, ...(said as Stretch[])];
}

/** What the page's own player gets, decoded by the browser: root mean square of each stretch. */
function loudness(page: Page, { address, stretches }: { address: string; stretches: Stretch[] }): Promise<number[]> {
  return page.evaluate<number[]>(`(async () => {
    const bytes = await (await fetch(${JSON.stringify(address)})).arrayBuffer();
    const audio = await new OfflineAudioContext(2, 1, 16000).decodeAudioData(bytes);
    return ${JSON.stringify(stretches)}.map(({ from, to, channel }) => {
      const samples = audio.getChannelData(channel).subarray(from * 16, to * 16);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    });
  })()`);
}
