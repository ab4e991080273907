import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createSemaphore } from '../../lib/semaphore.ts';

const derive = promisify(argon2);

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;
/** However many sign in at once, they take this much memory and this many threads. */
const turns = createSemaphore(2);

type Cost = typeof cost;
type Stored = { cost: Cost; salt: Buffer; tag: Buffer };

/** Argon2id (RFC 9106) as a PHC string, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await compute(password, { cost, salt, length: tagBytes });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** Takes as long without a hash as with one: strangers cannot be told from people. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const stored = (hash === null ? null : parse(hash)) ?? decoy;
  const { cost, salt, tag } = stored;
  const computed = await compute(password, { cost, salt, length: tag.length });
  return timingSafeEqual(computed, tag) && stored !== decoy;
}

const decoy: Stored = { cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) };

function compute(password: string, { cost, salt, length }: { cost: Cost; salt: Buffer; length: number }) {
  // Keyboards compose accents differently (NIST SP 800-63B, 3.1.1.2).
  const message = Buffer.from(password.normalize('NFKC'), 'utf8');
  return turns(() => derive('argon2id', { message, nonce: salt, tagLength: length, ...cost }));
}

function parse(hash: string): Stored | null {
  const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
  const [, memory, passes, parallelism, salt, tag] = shape.exec(hash) ?? [];
  if (salt === undefined || tag === undefined) return null;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
