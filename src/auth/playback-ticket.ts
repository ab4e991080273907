import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Who may hear which recording, and until when. Which version they may hear is checked again on every request. */
export type PlaybackTicket = {
  orgId: string;
  userId: string;
  recordId: string;
  /** As requested; null for the most complete version that they may hear. */
  redacted: boolean | null;
  expiresAt: Date;
};

/** Signs and reads tickets in addresses for media players, which send no `Authorization` header. */
export type PlaybackTickets = {
  issue(ticket: PlaybackTicket): string;
  /** Null unless the text is a valid, unexpired ticket. */
  read(text: string): PlaybackTicket | null;
};

const keyContext = 'earshot playback ticket v1';
const keyBytes = 32;
const shape = /^([A-Za-z0-9_-]{16,512})\.([A-Za-z0-9_-]{43})$/;

/**
 * HMAC-SHA-256 with a derived key (HKDF, RFC 5869). The first secret signs and all of them verify, so you replace a
 * secret by putting the new one in front.
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
      // The last base64 character has spare bits: accept only one spelling of a ticket.
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

/** The content was signed here, so it has the form that `issue` wrote. */
function toTicket(content: string): PlaybackTicket | null {
  const statement = JSON.parse(Buffer.from(content, 'base64url').toString()) as Statement;
  const [orgId, userId, recordId, redacted, expiresAtMs] = statement;
  if (expiresAtMs <= Date.now()) return null;
  return { orgId, userId, recordId, redacted, expiresAt: new Date(expiresAtMs) };
}
