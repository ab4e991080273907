import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Who may hear which recording, and until when. What they may hear of it is asked again at every request. */
export type PlaybackTicket = {
  orgId: string;
  userId: string;
  recordId: string;
  /** As the caller asked for it; null for what they may hear most of. */
  redacted: boolean | null;
  expiresAt: Date;
};

/** Signs and reads what stands in an address that a player is given, which sends no `Authorization` header. */
export type PlaybackTickets = {
  issue(ticket: PlaybackTicket): string;
  /** Null for whatever is not a ticket of ours that still counts. */
  read(text: string): PlaybackTicket | null;
};

const keyContext = 'earshot playback ticket v1';
const keyBytes = 32;
const shape = /^([A-Za-z0-9_-]{16,512})\.([A-Za-z0-9_-]{43})$/;

/**
 * HMAC-SHA-256 by a key of its own (HKDF, RFC 5869). The first secret signs and every one is good for reading, so that a
 * secret is replaced by putting the new one in front.
 */
export function createPlaybackTickets(secrets: readonly string[]): PlaybackTickets {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', keyContext, keyBytes)));
  const [first] = keys;
  if (!first) throw new Error('There is no key to sign playback tickets with.');
  return {
    issue({ orgId, userId, recordId, redacted, expiresAt }) {
      const statement = JSON.stringify([orgId, userId, recordId, redacted, expiresAt.getTime()]);
      const content = Buffer.from(statement).toString('base64url');
      return `${content}.${sign(first, content).toString('base64url')}`;
    },
    read(text) {
      const [, content = '', signature = ''] = shape.exec(text) ?? [];
      const given = Buffer.from(signature, 'base64url');
      // The last character holds spare bits: one ticket has one spelling.
      if (content === '' || given.toString('base64url') !== signature) return null;
      const matches = keys.map((key) => timingSafeEqual(sign(key, content), given));
      return matches.includes(true) ? toTicket(content) : null;
    },
  };
}

function sign(key: Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

type Statement = [orgId: string, userId: string, recordId: string, redacted: boolean | null, expiresAtMs: number];

/** Of a content that was signed here, so it is as `issue` wrote it. */
function toTicket(content: string): PlaybackTicket | null {
  const statement = JSON.parse(Buffer.from(content, 'base64url').toString()) as Statement;
  const [orgId, userId, recordId, redacted, expiresAtMs] = statement;
  if (expiresAtMs <= Date.now()) return null;
  return { orgId, userId, recordId, redacted, expiresAt: new Date(expiresAtMs) };
}
