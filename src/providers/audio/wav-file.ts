import { open, type FileHandle } from 'node:fs/promises';

export const headerBytes = 44;
const chunkBytes = 256 * 1024;
const dataBytesMax = 0xffffffff - headerBytes;

/** Writes a mono 16-bit WAV block by block; the header is completed on close. */
export class WavWriter {
  readonly path: string;
  readonly sampleRate: number;
  #file: FileHandle;
  #dataBytes = 0;

  private constructor(path: string, sampleRate: number, file: FileHandle) {
    this.path = path;
    this.sampleRate = sampleRate;
    this.#file = file;
  }

  static async create(path: string, sampleRate: number): Promise<WavWriter> {
    const file = await open(path, 'w');
    await file.write(wavHeader(0, sampleRate));
    return new WavWriter(path, sampleRate, file);
  }

  async write(samples: Int16Array): Promise<void> {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    let offset = 0;
    while (offset < bytes.length) offset += (await this.#file.write(bytes, offset)).bytesWritten;
    this.#dataBytes += bytes.length;
  }

  async close(): Promise<void> {
    try {
      await this.#file.write(wavHeader(Math.min(this.#dataBytes, dataBytesMax), this.sampleRate), 0, headerBytes, 0);
    } finally {
      await this.#file.close();
    }
  }
}

/** Reads a mono 16-bit WAV with the layout of `WavWriter`, block by block in constant memory. */
export async function* readWav(path: string): AsyncGenerator<Int16Array> {
  const file = await open(path, 'r');
  try {
    let position = headerBytes;
    while (true) {
      const buffer = new ArrayBuffer(chunkBytes);
      const { bytesRead } = await file.read(new Uint8Array(buffer), 0, chunkBytes, position);
      const samples = bytesRead >> 1;
      if (samples === 0) return;
      position += samples * 2;
      yield new Int16Array(buffer, 0, samples);
    }
  } finally {
    await file.close();
  }
}

/** Reads at most `count` samples from a position; fewer if the file ends before. */
export async function readWavRange(path: string, startSample: number, count: number): Promise<Int16Array> {
  const file = await open(path, 'r');
  try {
    const samples = new Int16Array(count);
    const bytes = new Uint8Array(samples.buffer);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, headerBytes + startSample * 2);
    return samples.subarray(0, bytesRead >> 1);
  } finally {
    await file.close();
  }
}

function wavHeader(dataBytes: number, sampleRate: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes + headerBytes - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
