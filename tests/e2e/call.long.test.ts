import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { expectAccessible, holdBack, holdNotice, startDashboard, type Dashboard } from '../support/dashboard.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { slownessOfPage } from '../support/slowness.ts';
import { seedHour, uploadCall } from './call-support.ts';

/** For what the service has to be asked about. */
const patient = { timeout: 45_000 };

let dashboard: Dashboard;
let supervisor: TestMember;
let agent: TestMember;
let callId: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  [supervisor, agent] = await Promise.all([dashboard.join('supervisor'), dashboard.join('agent')]);
  callId = await uploadCall(dashboard.t, agent);
}, 300_000);
afterAll(() => dashboard?.close());

async function open(page: Page, name: RegExp): Promise<void> {
  const category = page.getByRole('button', { name });
  if ((await category.getAttribute('aria-expanded')) === 'false') await category.click();
}

async function openCall(member: TestMember, search = '', options = {}): Promise<Page> {
  const page = await dashboard.open(member, `/calls/${callId}${search}`, options);
  await page
    .locator('[data-ms]', { hasText: 'turquoise' })
    .or(page.getByRole('tab', { name: 'Transcript' }))
    .first()
    .waitFor(patient);
  return page;
}

const secondsOf = async (page: Page): Promise<number> =>
  Number(await page.getByRole('slider').getAttribute('aria-valuenow'));
const isPlaying = (page: Page) => page.getByRole('button', { name: 'Pause', exact: true });

async function pressWord(page: Page, word: string): Promise<void> {
  await page.locator('[data-ms]', { hasText: word }).first().click();
}

describe('listening', () => {
  it('plays from the word that is pressed, marks what is said, and follows it', async () => {
    const page = await openCall(supervisor);
    await pressWord(page, 'Friday');
    await isPlaying(page).waitFor(patient);
    await expect.poll(() => secondsOf(page)).toBeGreaterThanOrEqual(27);
    await page.locator('[data-ms].\\!bg-accent').first().waitFor(patient);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  });

  it('shows the evidence of a check in the transcript and plays it', async () => {
    const page = await openCall(supervisor);
    await open(page, /^Closing/);
    const evidence = page.getByRole('list', { name: 'Evidence' }).getByRole('button', { name: /goodbye/i });
    await evidence.first().click();
    await isPlaying(page).waitFor(patient);
    await page.locator('article .bg-warn-soft', { hasText: 'goodbye' }).waitFor(patient);
    await expect.poll(() => secondsOf(page)).toBeGreaterThanOrEqual(36);
  });

  it('is driven by the keyboard alone, but for what is typed into fields', async () => {
    const page = await openCall(supervisor);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('k');
    await expect.poll(() => secondsOf(page)).toBe(8);
    await page.keyboard.press('j');
    await expect.poll(() => secondsOf(page)).toBe(3);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => secondsOf(page)).toBe(8);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => secondsOf(page)).toBe(3);
    await page.keyboard.press('Space');
    await isPlaying(page).waitFor(patient);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.keyboard.press('1');
    await page.locator('li.bg-accent-soft\\/50', { hasText: 'Greets the customer' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('jkj 1?');
    await expect.poll(() => page.getByLabel('Find in the transcript').inputValue()).toBe('jkj 1?');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('keeps a jump that comes between the first bytes of the recording and the news of them', async () => {
    const page = await openCall(supervisor);
    // Three presses in the moment before the player learns that the recording is there.
    await page.addInitScript(`{
      const listen = HTMLMediaElement.prototype.addEventListener;
      const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true }));
      HTMLMediaElement.prototype.addEventListener = function (name, ...rest) {
        if (name === 'loadedmetadata') listen.call(this, name, () => [1, 2, 3].forEach(press), { once: true });
        return listen.call(this, name, ...rest);
      };
    }`);
    const arrive = await holdBack(page, '**/media/**');
    await page.reload();
    await page.locator('[data-ms]').first().waitFor(patient);
    arrive();
    await expect.poll(() => secondsOf(page)).toBe(8);
  });

  it('finds words in the transcript and begins where the address says', async () => {
    const page = await openCall(supervisor, '?t=12500');
    await expect.poll(() => secondsOf(page)).toBe(12);
    await page.getByLabel('Find in the transcript').fill('THANK you');
    await page.getByText('1 of 3', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await page.getByLabel('Find in the transcript').fill('zebra');
    await page.getByText('Not found').waitFor();
  });

  it('draws a lane for each party, the silence and the interruption', async () => {
    const page = await openCall(supervisor);
    const legend = page.getByRole('list', { name: 'Marked on the wave' });
    await legend.getByText('Interruption 1').waitFor(patient);
    await expect.poll(() => legend.getByText('Silence 1').count()).toBe(1);
    const lanes = await page
      .getByRole('region', { name: 'Recording' })
      .getByText(/^(Agent|Customer)$/)
      .allTextContents();
    expect(lanes).toEqual(['Agent', 'Customer']);
    await page.getByLabel('Speed').selectOption('2');
    await page.getByRole('button', { name: 'Skip silence' }).click();
    await pressWord(page, 'seven.');
    await expect.poll(() => secondsOf(page), patient).toBeGreaterThanOrEqual(22);
    await page.keyboard.press('Space');
  });

  it('gives the transcript as a file of each format', async () => {
    const page = await openCall(supervisor);
    for (const [label, start] of [
      ['WebVTT subtitles', /^WEBVTT\n/],
      ['Plain text', /^\[00:00:00\] .*: Thank you for calling/],
      ['JSON with word times', /^\{"data":\{/],
    ] as const) {
      await page.getByRole('button', { name: 'More' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: label }).click(),
      ]);
      expect(await readFile(await file.path(), 'utf8')).toMatch(start);
    }
  });
});

describe('judging', () => {
  it('keeps notes beside what was said: added, changed, deleted, and brought back', async () => {
    const page = await openCall(supervisor);
    await page.locator('article', { hasText: 'sorry to hear' }).hover();
    await page.getByRole('button', { name: 'Add a note at 0:08' }).click();
    await page.getByRole('radio', { name: 'Praise' }).check({ force: true });
    await page.getByLabel('Note', { exact: true }).fill('Warm words.');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('article', { hasText: 'Warm words.' }).getByText('Praise').waitFor(patient);
    await page.getByRole('tab', { name: /Notes/ }).click();
    await page.getByRole('button', { name: 'Change the note' }).click();
    await page.getByLabel('Note', { exact: true }).fill('Very warm words.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('article', { hasText: 'Very warm words.' }).waitFor(patient);
    await page.getByRole('button', { name: 'Delete the note' }).click();
    await holdNotice(page);
    await page.getByText('No notes yet').waitFor(patient);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('article', { hasText: 'Very warm words.' }).waitFor(patient);
    await expect.poll(() => page.getByText('No notes yet').count()).toBe(0);
  });

  it('is reviewed, disputed by the agent, resolved, and all of it can be read afterwards', async () => {
    const review = await openCall(supervisor, '?tab=notes');
    await review.getByRole('button', { name: 'Review', exact: true }).click();
    await review.getByText('Adjust', { exact: true }).click();
    await review.getByLabel('Greeting').fill('10');
    await review.getByRole('button', { name: 'Submit review' }).click();
    await review.getByText('A review that does not approve needs a comment').waitFor();
    await review.getByLabel('Comment').fill('No name was given.');
    await review.getByRole('button', { name: 'Submit review' }).click();
    await review.getByText('No name was given.').first().waitFor(patient);
    await review.getByRole('row', { name: /Greeting \d+ 10/ }).waitFor(patient);

    const dispute = await openCall(agent, '?tab=notes');
    await expect.poll(() => dispute.getByRole('button', { name: 'Review again' }).count()).toBe(0);
    await dispute.getByRole('button', { name: 'Dispute' }).click();
    await dispute.getByLabel('What is wrong with it').fill('The name is in the greeting.');
    await dispute.getByRole('dialog').getByRole('button', { name: 'Dispute' }).click();
    await dispute.getByText('Disputed', { exact: true }).first().waitFor(patient);

    await review.reload();
    await review.getByRole('button', { name: 'Resolve the dispute' }).click(patient);
    await review.getByLabel('Outcome').selectOption('partially_accepted');
    await review.getByLabel('Answer to the agent').fill('Half of it is.');
    await review.getByRole('button', { name: 'Resolve', exact: true }).click();
    await review.getByText('Half of it is.').first().waitFor(patient);
    await review.getByText('History').click();
    const history = review.locator('details li');
    await expect
      .poll(() => history.allTextContents(), patient)
      .toEqual([
        expect.stringContaining('Adjusted (revision 1)'),
        expect.stringContaining('Disputed'),
        expect.stringContaining('Dispute partially accepted'),
      ]);
    await expectAccessible(review);
  });

  it('is re-analyzed while one looks on, and both versions stand side by side', async () => {
    const page = await openCall(supervisor);
    await page.getByRole('button', { name: 'Re-analyze' }).click();
    await page.getByLabel('Reason (optional)').fill('To be sure.');
    const dialog = page.getByRole('dialog');
    // It has been reviewed, so somebody has to say that the review may go.
    await expect.poll(() => dialog.getByRole('button', { name: 'Re-analyze' }).isDisabled(), patient).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('checkbox', { name: /^Replace the review/ }).check();
    await dialog.getByRole('button', { name: 'Re-analyze' }).click();
    await page.getByText('Version 2 is ready').waitFor({ timeout: 45_000 });
    await page.getByText('Reason: To be sure.').waitFor(patient);
    await page.getByRole('button', { name: 'Compare' }).click();
    const table = page.getByRole('region', { name: 'Scores of both versions' });
    await table.getByRole('row', { name: /^Quality score/ }).waitFor(patient);
    await table.getByRole('row', { name: /^Greeting 10/ }).waitFor();
    await page.getByText('No check was answered differently').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Version of the analysis').selectOption({ index: 1 });
    await page.getByText('An earlier version').waitFor(patient);
    expect(new URL(page.url()).searchParams.get('analysis')).toMatch(/^ana_/);
    await page.reload();
    await page.getByText('An earlier version').waitFor(patient);
    await page.getByRole('tab', { name: 'Notes' }).click();
    const notes = page.getByRole('region', { name: 'Review' });
    await notes.getByText('Only the current version can be reviewed.').waitFor(patient);
    await expectAccessible(page);
    expect(await notes.getByRole('button', { name: /^Review|^Dispute/ }).count()).toBe(0);
    await notes.getByRole('button', { name: 'Show the current version' }).click();
    await notes.getByRole('button', { name: 'Review', exact: true }).waitFor(patient);
    expect(new URL(page.url()).searchParams.get('analysis')).toBeNull();
  });

  it('is not reviewed while it is re-analyzed: the reader is told why, keeps what was typed, and sends it later', async () => {
    const { t, owner, open, expectComplaints } = dashboard;
    expectComplaints('409 /api/trpc/');
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed', completedAt: new Date() }]);
    await seedAnalysis(t, owner, { recordId });
    const page = await open(owner, `/calls/${recordId}?tab=notes`);
    await page.getByRole('button', { name: 'Review', exact: true }).click(patient);
    await page.getByText('Adjust', { exact: true }).click();
    await page.getByLabel('Comment').fill('It was only a test call.');
    await page.getByRole('button', { name: 'Submit review' }).click();
    await page.getByText('These are the automatic scores.').waitFor();
    await page.getByText('Reject', { exact: true }).click();
    const running = await seedAnalysis(t, owner, { recordId, version: 2, status: 'processing', current: false });
    const submit = page.getByRole('button', { name: 'Submit review' });
    await submit.click();
    await page.getByText('The review was not submitted').first().waitFor(patient);
    await page.getByText('Review the new version when it appears here').waitFor(patient);
    expect(await submit.isDisabled()).toBe(true);
    await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute(`update analyses set status = 'failed' where id = '${running}'`),
    );
    await expect.poll(() => submit.isEnabled(), patient).toBe(true);
    expect(await page.getByLabel('Comment').inputValue()).toBe('It was only a test call.');
    await submit.click();
    await page.getByText('It was only a test call.').first().waitFor(patient);
    await page.getByRole('button', { name: 'Review again' }).waitFor(patient);
  });

  it('shows what a role may not do nowhere', async () => {
    const page = await openCall(agent);
    await expect.poll(() => page.getByRole('button', { name: 'Re-analyze' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Plain text' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: /Delete|analyze|Swap/ }).count()).toBe(0);
  });
});

describe('calls without all of it', () => {
  it('says why a call failed, and tries again', async () => {
    const { t, owner, open } = dashboard;
    const failure = { code: 'RECORDING_UNREACHABLE', message: 'The recording could not be fetched.', retryable: true };
    const [id = ''] = await seedRecords(t, owner, [{ status: 'failed', failure, agentName: 'Fay' }]);
    const page = await open(supervisor, `/calls/${id}`);
    await page.getByText('The recording could not be fetched.').waitFor(patient);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The recording could not be fetched.').waitFor({ state: 'detached', ...patient });
    await expect
      .poll(async () => (await t.as(owner, { url: `/api/v1/records/${id}` })).body.data.failure)
      .not.toEqual(failure);
  });

  it('says how much of a damaged recording is missing', async () => {
    const { t, owner, open } = dashboard;
    const file = {
      fileName: 'a.ogg',
      fileSizeBytes: 9,
      fileContentType: 'audio/ogg',
      fileSha256: 'a',
      fileMissingMs: 7300,
    };
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed', ...file }]);
    await seedAnalysis(t, owner, { recordId });
    const page = await open(supervisor, `/calls/${recordId}`);
    const note = page.getByText('The recording is damaged: 0:07 of it could not be read and is missing');
    await note.waitFor(patient);
    expect(await note.count()).toBe(1);
  });

  it('offers no further try where none can help', async () => {
    const { t, owner, open } = dashboard;
    const failure = { code: 'AUDIO_EMPTY', message: 'The recording contains no sound.', retryable: false };
    const [id = ''] = await seedRecords(t, owner, [{ status: 'failed', failure }]);
    const page = await open(supervisor, `/calls/${id}`);
    await page.getByText('AUDIO_EMPTY · retrying will not help').waitFor(patient);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('keeps the scores of a call whose content retention has deleted', async () => {
    const { t, owner, open } = dashboard;
    const [recordId = ''] = await seedRecords(t, owner, [
      { status: 'completed', contentDeletedAt: new Date('2026-01-02T12:00:00Z') },
    ]);
    await seedAnalysis(t, owner, { recordId, summary: 'A call of old.' });
    const page = await open(supervisor, `/calls/${recordId}`);
    await page.getByText('Recording and transcript were deleted').waitFor(patient);
    await page.getByText('A call of old.').waitFor(patient);
    await expect.poll(() => page.getByRole('region', { name: 'Recording' }).count()).toBe(0);
  });

  it('leaves for the list when it is deleted, and opens again when that is taken back', async () => {
    const { t, owner, open } = dashboard;
    const [id = ''] = await seedRecords(t, owner, [{ status: 'completed', agentName: 'Dora Deleted' }]);
    await seedAnalysis(t, owner, { recordId: id });
    const page = await open(owner, `/calls/${id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete the call' }).click();
    await holdNotice(page);
    await page.waitForURL(/\/calls$/, patient);
    await page.getByRole('link', { name: 'Ann Archer' }).waitFor(patient);
    await expect.poll(() => page.getByRole('link', { name: 'Dora Deleted' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: /Dora Deleted/ }).waitFor(patient);
    expect((await t.as(owner, { url: `/api/v1/records/${id}` })).status).toBe(200);
  });
});

describe('an hour', () => {
  it('opens its transcript within half a second and scrolls without long frames', { timeout: 180_000 }, async () => {
    const { t, owner, open } = dashboard;
    const id = await seedHour(t, owner);
    const page = await open(owner, '/calls');
    const best = { openedMs: Infinity, medianMs: Infinity, nearlyAllMs: Infinity };
    const slowness = await slownessOfPage(page);
    const [openedMsMax, medianMsMax, nearlyAllMsMax] = [500 * slowness, 18 * slowness, 34 * slowness];
    const isGood = (): boolean =>
      best.openedMs < openedMsMax && best.medianMs < medianMsMax && best.nearlyAllMs < nearlyAllMsMax;
    // Other programs share the machine: the best of some rounds is what the screen itself takes.
    for (let round = 0; round < 10 && !isGood(); round += 1) {
      await page.getByRole('link', { name: 'Long Talker' }).waitFor(patient);
      best.openedMs = Math.min(best.openedMs, await page.evaluate(openHour));
      const frames: { medianMs: number; nearlyAllMs: number } = await page.evaluate(scrollHour);
      best.medianMs = Math.min(best.medianMs, frames.medianMs);
      best.nearlyAllMs = Math.min(best.nearlyAllMs, frames.nearlyAllMs);
      await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
    }
    expect(id).toMatch(/^rec_/);
    expect(best.openedMs).toBeLessThan(openedMsMax);
    expect(best.medianMs).toBeLessThan(medianMsMax);
    expect(best.nearlyAllMs).toBeLessThan(nearlyAllMsMax);
  });
});

/** Milliseconds from the click to the first utterance on the screen. */
const openHour = `new Promise((resolve) => {
  const begun = performance.now();
  const look = () => document.querySelector('article [data-ms]') ? requestAnimationFrame(() => resolve(performance.now() - begun)) : requestAnimationFrame(look);
  [...document.querySelectorAll('a')].find((link) => link.textContent.includes('Long Talker')).click();
  look();
})`;

/** A second of scrolling, as a wheel that is turned quickly does. */
const scrollHour = `new Promise((resolve) => {
  const list = document.querySelector('[aria-label="What was said"]');
  const times = [];
  const step = (now) => {
    times.push(now);
    list.scrollTop += 120;
    if (times.length < 60) return requestAnimationFrame(step);
    const frames = times.slice(1).map((time, index) => time - times[index]).toSorted((a, b) => a - b);
    resolve({ medianMs: frames[Math.floor(frames.length / 2)], nearlyAllMs: frames[Math.floor(frames.length * 0.95)] });
  };
  requestAnimationFrame(step);
})`;

describe('the screen', () => {
  it.each(['light', 'dark'] as const)('can be used by everybody, %s', async (colorScheme) => {
    const page = await openCall(supervisor, '', { colorScheme });
    await page.getByText('Quality score', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText('+447700900123').first().waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(colorScheme);
  });

  it('has its parts in tabs where it is narrow, and is no wider than a phone or a frame of a CRM', async () => {
    for (const width of [375, 500]) {
      const page = await openCall(supervisor, '', { viewport: { width, height: 812 } });
      await page.getByText('turquoise').waitFor(patient);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Score' }).click();
      await open(page, /^Closing/);
      await page.getByRole('list', { name: 'Evidence' }).getByRole('button').first().click();
      await page.getByText('turquoise').waitFor(patient);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });
});
