import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

type Flags = { isPresent?: boolean; isVerified?: boolean };

export type Made = {
  challenge: string;
  origin: string;
  rpId: string;
  /** Base64url, as in the options. */
  handle: string;
} & Forgery;

/** What an attacker's authenticator would send otherwise. */
type Forgery = Flags & {
  counter?: number;
  type?: string;
  crossOrigin?: boolean;
  attestationObject?: Buffer;
  format?: string;
  statement?: Map<string, unknown>;
  clientData?: unknown;
};

const text = (bytes: Buffer): string => bytes.toString('base64url');

/** An authenticator in software, which tells lies when asked to: browsers' virtual ones are honest. */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #handle = '';
  counter = 0;

  register({ handle, ...made }: Made) {
    this.#handle = handle;
    const attested = Buffer.concat([Buffer.alloc(16), lengthOf(this.id), this.id, coseKey(this.#keys.publicKey)]);
    const authData = Buffer.concat([this.#data(made, 0x40), attested]);
    const object = new Map<string, unknown>([
      ['fmt', made.format ?? 'none'],
      ['attStmt', made.statement ?? new Map()],
      ['authData', authData],
    ]);
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key' as const,
      response: {
        clientDataJSON: text(clientData('webauthn.create', made)),
        attestationObject: text(made.attestationObject ?? cbor(object)),
        transports: ['internal'],
      },
    };
  }

  answer(made: Omit<Made, 'handle'> & { handle?: string | null }) {
    const data = clientData('webauthn.get', made);
    const authData = this.#data(made, 0);
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key' as const,
      response: {
        clientDataJSON: text(data),
        authenticatorData: text(authData),
        signature: text(sign('sha256', signed, this.#keys.privateKey)),
        userHandle: made.handle === undefined ? this.#handle : made.handle,
      },
    };
  }

  #data(
    { rpId, counter, isPresent = true, isVerified = true }: Flags & { rpId: string; counter?: number },
    more: number,
  ) {
    const flags = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
  }
}

function clientData(
  kind: string,
  { challenge, origin, type = kind, crossOrigin = false, clientData }: Omit<Made, 'handle'>,
) {
  return Buffer.from(JSON.stringify(clientData === undefined ? { type, challenge, origin, crossOrigin } : clientData));
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}

/** COSE (RFC 9053): an ES256 key on P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const parts: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ];
  return cbor(new Map(parts));
}

/** As much of CBOR (RFC 8949) as passkeys need. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
  throw new TypeError('There is no CBOR for this.');
}

function head(kind: number, count: number): Buffer {
  const first = kind << 5;
  if (count < 24) return Buffer.from([first | count]);
  if (count < 256) return Buffer.from([first | 24, count]);
  return Buffer.from([first | 25, count >> 8, count & 0xff]);
}
