/** A piece of a backup, small enough for memory. */
export type Entry = { name: string; bytes: Buffer };

const blockBytes = 512;
const nameBytesMax = 100;
const prefixBytesMax = 155;

/** One entry of a tar archive (POSIX.1-1988 ustar), padded to whole blocks. */
export function toTarEntry({ name, bytes }: Entry, at: Date): Buffer[] {
  const header = Buffer.alloc(blockBytes);
  const { prefix, rest } = splitName(name);
  header.write(rest, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(Math.floor(at.getTime() / 1000), 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(prefix, 345);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\u0000 `, 148);
  return [header, bytes, Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes)];
}

/** Two empty blocks end an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** Null for the blocks that end an archive. Throws if it is not a header. */
export function readTarHeader(header: Buffer): { name: string; sizeBytes: number; isFile: boolean } | null {
  if (header.every((byte) => byte === 0)) return null;
  const given = Number.parseInt(textAt(header, 148, 8), 8);
  const blank = Buffer.from(header).fill(' ', 148, 156);
  if (given !== checksumOf(blank)) throw new Error('This is not a tar archive, or it is damaged.');
  const prefix = textAt(header, 345, prefixBytesMax);
  const name = textAt(header, 0, nameBytesMax);
  const type = String.fromCharCode(header[156] ?? 0);
  return {
    name: prefix ? `${prefix}/${name}` : name,
    sizeBytes: Number.parseInt(textAt(header, 124, 12), 8),
    isFile: type === '0' || type === '\u0000',
  };
}

export function paddedSize(sizeBytes: number): number {
  return Math.ceil(sizeBytes / blockBytes) * blockBytes;
}

export const tarHeaderBytes = blockBytes;

function splitName(name: string): { prefix: string; rest: string } {
  if (name.length <= nameBytesMax) return { prefix: '', rest: name };
  const slash = name.indexOf('/', name.length - nameBytesMax - 1);
  if (slash < 1 || slash > prefixBytesMax) throw new Error(`${name} is too long a name for an archive.`);
  return { prefix: name.slice(0, slash), rest: name.slice(slash + 1) };
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\u0000`;
}

function textAt(header: Buffer, start: number, length: number): string {
  const text = header.toString('latin1', start, start + length);
  const end = text.indexOf('\u0000');
  return end === -1 ? text : text.slice(0, end);
}

/** The checksum field itself counts as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}
