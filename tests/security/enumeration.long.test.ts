import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { both, findUntold, ratioOf, tells, timed, type Kind } from '../support/stopwatch.ts';
import { createFlowBrowser, createSignInFlow, type SignInFlow } from '../support/sign-in-flow.ts';

const knownCount = 2_000;
const timeoutMs = 300_000;

let t: TestApp;
let mails: MailServer;
let flow: SignInFlow;
let inviter: TestMember;

/** Of no password. */
const storedHash = `$argon2id$v=19$m=19456,t=2,p=1$${'c2FsdHNhbHRzYWx0c2FsdA'}$${'dGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGE'}`;

beforeAll(async () => {
  mails = await startMailServer();
  const env = { TRUSTED_PROXIES: '127.0.0.1', SMTP_URL: mails.url, MAIL_FROM: 'earshot@example.com' };
  t = await createTestApp({ runPipeline: false, env });
  flow = createSignInFlow(await t.listen());
  inviter = await t.createOrg();
  const { system } = t.deps.connections;
  await system`
    insert into users (id, email, name, email_verified)
    select 'usr_known' || n, 'known' || n || '@example.com', 'Known', true from generate_series(0, ${knownCount - 1}::int) n`;
  await system`
    insert into accounts (user_id, address, password_hash, password_changed_at)
    select id, email, ${storedHash}, now() from users where id like 'usr_known%'`;
}, timeoutMs);
afterAll(async () => {
  await t.close();
  await mails.stop();
});

type Try = (kind: Kind) => Promise<unknown>;

const lastOf = { known: -1, unknown: -1 };
/** Nobody's twice. */
function nextAddress(kind: Kind): string {
  lastOf[kind] += 1;
  return addressOf(kind, lastOf[kind]);
}
const addressOf = (kind: Kind, index: number): string =>
  kind === 'known' ? `known${index}@example.com` : `nobody${index}@example.co`;

let lastNetwork = 0;
function elsewhere(): Record<string, string> {
  lastNetwork += 1;
  return { 'x-forwarded-for': `10.${(lastNetwork >> 16) & 255}.${(lastNetwork >> 8) & 255}.${lastNetwork & 255}` };
}

const changing = new Set([
  'date',
  'x-request-id',
  'retry-after',
  'etag',
  'ratelimit-remaining',
  'ratelimit-reset',
  // They follow from the text, and from the id of what was made.
  'content-length',
  'location',
]);

/** What an answer shows, without what differs from request to request. */
async function shownBy(answer: Response, email: string): Promise<string> {
  const text = (await answer.text())
    .replaceAll(email, 'ADDRESS')
    .replaceAll(/"(id|createdAt)":"[^"]+"/g, '')
    .replaceAll(/interaction\/[\w-]+/g, '')
    .replaceAll(/name="csrf" value="[^"]+"/g, '')
    .replaceAll(/\d+ (?:second|minute)s?/g, 'AWHILE');
  const headers = [...answer.headers].filter(([name]) => !changing.has(name));
  return JSON.stringify([answer.status, headers, text]);
}

async function openSignIn() {
  const browser = createFlowBrowser();
  const page = await flow.open(browser);
  return (email: string) =>
    flow.post(browser, page.url, { csrf: page.csrf, email, password: 'not the password' }, elsewhere());
}
const forgot = (email: string) => flow.post(createFlowBrowser(), '/account/forgot', { email }, elsewhere());
const invite = (email: string) =>
  fetch(`${flow.origin}/api/v1/users/invite`, {
    method: 'POST',
    headers: { ...inviter.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email, role: 'agent' }),
  });

/** What the answers to so many tries show, each of which several make at once. */
async function answersOf(tries: number, ask: (email: string) => Promise<Response>, emails: (n: number) => string) {
  const shown = new Set<string>();
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < tries) {
      begun += 1;
      const email = emails(begun);
      let answer = await ask(email);
      // A machine that does other things is too busy now and then.
      while (answer.status >= 500) answer = await ask(email);
      shown.add(await shownBy(answer, email));
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return [...shown].toSorted();
}

const forgetAttempts: Try = () => t.deps.connections.system`delete from sign_in_attempts`;

async function signInTime(kind: Kind, tryPassword: (email: string) => Promise<Response>): Promise<number> {
  await forgetAttempts(kind);
  return timed(() => tryPassword(nextAddress(kind)));
}

/** Of the answer, and of the next one, which would wait for what the first has left to be done. */
async function forgotTimes(kind: Kind, isMailAwaited = false): Promise<[answer: number, next: number]> {
  const mailed = mails.received.length + (kind === 'known' ? 1 : 0);
  const arrived = async (): Promise<void> => {
    while (mails.received.length < mailed) await sleep(2);
  };
  const from = performance.now();
  const answer = await timed(() => forgot(nextAddress(kind)));
  if (isMailAwaited) await arrived();
  const until = performance.now() - from;
  const next = isMailAwaited ? 0 : await timed(() => fetch(`${flow.origin}/account/forgot`));
  await arrived();
  return [isMailAwaited ? until : answer, next];
}

describe('8,000 tries of somebody who looks for accounts', () => {
  const of = (kind: Kind, count: number) => (n: number) => addressOf(kind, n % count);

  it(
    'are answered alike: 4,000 passwords, over few addresses and from a network each',
    async () => {
      const tryPassword = await openSignIn();
      const known = await answersOf(2_000, tryPassword, of('known', 20));
      await forgetAttempts('known');
      const unknown = await answersOf(2_000, tryPassword, of('unknown', 20));
      expect(known).toEqual(unknown);
      expect(known.map((shown) => JSON.parse(shown)[0])).toEqual([422, 429]);
    },
    timeoutMs,
  );

  it(
    'are answered alike: 3,000 links for a new password',
    async () => {
      const [known, unknown] = [
        await answersOf(1_500, forgot, of('known', 50)),
        await answersOf(1_500, forgot, of('unknown', 50)),
      ];
      expect(known).toEqual(unknown);
      expect(known).toHaveLength(1);
    },
    timeoutMs,
  );

  it(
    'are answered alike: 1,000 invites',
    async () => {
      const [known, unknown] = [
        await answersOf(500, invite, of('known', 501)),
        await answersOf(500, invite, of('unknown', 501)),
      ];
      expect(known).toEqual(unknown);
      expect(known.map((shown) => JSON.parse(shown)[0])).toEqual([201]);
    },
    timeoutMs,
  );
});

/**
 * Alone on a machine: beside other files, what a mail costs shows in the request that follows it.
 * `STOPWATCH=1 npx vitest run --project long tests/security/enumeration.long.test.ts`
 */
describe.runIf(process.env['STOPWATCH'] !== undefined)('2,000 tries with a watch', () => {
  beforeAll(async () => {
    // What the others have begun is done.
    while (await isMailing()) await sleep(50);
    Object.assign(lastOf, { known: 600, unknown: 600 });
  }, timeoutMs);

  it(
    'take as long for a password that is judged',
    async () => {
      const tryPassword = await openSignIn();
      const measured = await findUntold(() =>
        ratioOf(
          120,
          both((kind) => signInTime(kind, tryPassword)),
        ),
      );
      expect(measured.isFound, `ratios: ${measured.ratios}`).toBe(true);
    },
    timeoutMs,
  );

  it(
    'take as long for a link, and so does whatever is asked next',
    async () => {
      const measured = await findUntold(() =>
        ratioOf(
          150,
          both(async (kind) => (await forgotTimes(kind))[0]),
        ),
      );
      expect(measured.isFound, `ratios: ${measured.ratios}`).toBe(true);
      const next = await findUntold(() =>
        ratioOf(
          150,
          both(async (kind) => (await forgotTimes(kind))[1]),
        ),
      );
      expect(next.isFound, `ratios: ${next.ratios}`).toBe(true);
    },
    timeoutMs,
  );

  it(
    'take as long for an invite',
    async () => {
      const measured = await findUntold(() =>
        ratioOf(
          150,
          both((kind) => timed(() => invite(nextAddress(kind)))),
        ),
      );
      expect(measured.isFound, `ratios: ${measured.ratios}`).toBe(true);
    },
    timeoutMs,
  );

  it(
    'would tell of a password that is not judged, and of a mail that is sent before the answer',
    async () => {
      const tryPassword = await openSignIn();
      const delayed = addressOf('unknown', 0);
      for (let guess = 0; guess < 10; guess += 1) await tryPassword(delayed);
      await t.deps.connections
        .system`update sign_in_attempts set next_at = now() + interval '1 hour' where failures > 5`;
      const skipped = await ratioOf(15, {
        known: () => timed(() => tryPassword(nextAddress('known'))),
        unknown: () => timed(() => tryPassword(delayed)),
      });
      expect(tells(skipped), `ratio: ${skipped}`).toBe(true);
      const awaited = await ratioOf(
        15,
        both(async (kind) => (await forgotTimes(kind, true))[0]),
      );
      expect(tells(awaited), `ratio: ${awaited}`).toBe(true);
    },
    timeoutMs,
  );
});

async function isMailing(): Promise<boolean> {
  const before = mails.received.length;
  await sleep(300);
  return mails.received.length !== before;
}
