import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type S3Operation =
  | 'PutObject'
  | 'GetObject'
  | 'HeadObject'
  | 'DeleteObject'
  | 'ListObjectsV2'
  | 'ListMultipartUploads'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload';

/** `slowDown`: 503 as S3 says it when it is busy. `reset`: hangs up. `cut`: hangs up in the middle of the body. `hang`: never answers. */
type Fault = { operation: S3Operation; how: 'slowDown' | 'reset' | 'cut' | 'hang' | 'notImplemented'; times: number };

export type S3Server = {
  /** For STORAGE_URL. */
  url: string;
  endpoint: string;
  bucket: string;
  keys: { accessKeyId: string; secretAccessKey: string };
  objects: Map<string, StoredObject>;
  /** Uploads in parts that are not completed. */
  uploads: Map<string, PendingUpload>;
  /** Operations in the order in which they were asked for. */
  log: S3Operation[];
  fail(fault: Fault): void;
  /** Forgets its faults. What hangs goes on hanging. */
  mend(): void;
  close(): Promise<void>;
};

type StoredObject = { bytes: Buffer; etag: string; modifiedAt: Date };
type PendingUpload = { key: string; beganAt: Date; parts: Map<number, Buffer> };
type Call = { req: IncomingMessage; res: ServerResponse; url: URL; key: string; body: Buffer };

const bucket = 'recordings';
const keys = { accessKeyId: 'AKIAEARSHOTTESTS', secretAccessKey: 'secret-of-the-tests' };
const partSizeBytesMin = 5 * 1024 * 1024;

class S3Fault extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

/**
 * Speaks as much of the protocol of S3 as the service uses, with one bucket in memory, on a free port of this machine.
 * Every request must be signed (SigV4) with its keys, in the header or, for reading, in the address.
 */
export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const uploads: S3Server['uploads'] = new Map();
  const log: S3Operation[] = [];
  const faults: Fault[] = [];
  const handlers = createHandlers(objects, uploads);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://storage.invalid');
    const [, name, ...rest] = url.pathname.split('/');
    const call: Call = { req, res, url, key: decodeURIComponent(rest.join('/')), body: await buffer(req) };
    try {
      requireSignature(call);
      if (name !== bucket) throw new S3Fault(404, 'NoSuchBucket');
      const operation = operationOf(call);
      log.push(operation);
      const fault = takeFault(faults, operation);
      if (fault === 'slowDown') throw new S3Fault(503, 'SlowDown');
      if (fault === 'notImplemented') throw new S3Fault(501, 'NotImplemented');
      if (fault === 'hang') return;
      if (fault === 'reset') return void req.socket.destroy();
      handlers[operation](call, fault === 'cut');
    } catch (err) {
      if (!(err instanceof S3Fault)) throw err;
      const text = req.method === 'HEAD' ? '' : `<Error><Code>${err.message}</Code><Message>No.</Message></Error>`;
      res.writeHead(err.status, { 'Content-Type': 'application/xml' }).end(text);
    }
  }

  const server = createServer((req, res) => {
    answer(req, res).catch(() => req.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `s3://${bucket}/calls?region=eu-test-1&forcePathStyle=true&endpoint=${encodeURIComponent(endpoint)}`,
    endpoint,
    bucket,
    keys,
    objects,
    uploads,
    log,
    fail: (fault) => void faults.push({ ...fault }),
    mend: () => void faults.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function takeFault(faults: Fault[], operation: S3Operation): Fault['how'] | undefined {
  const fault = faults.find((each) => each.operation === operation && each.times > 0);
  if (fault) fault.times -= 1;
  return fault?.how;
}

/** What it takes to be looked at at all: algorithm, our key, a date of today, a signature of the right form. */
function requireSignature({ req, url }: Call): void {
  const header = req.headers.authorization ?? '';
  const query = url.searchParams;
  const isPresigned = query.has('X-Amz-Signature');
  if (isPresigned && header) throw new S3Fault(400, 'InvalidArgument');
  const scope = `${keys.accessKeyId}/${today()}/eu-test-1/s3/aws4_request`;
  const isSigned = isPresigned
    ? query.get('X-Amz-Credential') === scope && /^[0-9a-f]{64}$/.test(query.get('X-Amz-Signature') ?? '')
    : header.startsWith(`AWS4-HMAC-SHA256 Credential=${scope}, `) && /Signature=[0-9a-f]{64}$/.test(header);
  if (!isSigned) throw new S3Fault(403, 'AccessDenied');
  if (isPresigned && Number(query.get('X-Amz-Expires')) > 3600) throw new S3Fault(403, 'AccessDenied');
}

function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll('-', '');
}

function operationOf({ req, url: { searchParams: query }, key }: Call): S3Operation {
  const isOf = (name: string) => query.has(name);
  switch (req.method) {
    case 'PUT':
      return isOf('uploadId') ? 'UploadPart' : 'PutObject';
    case 'HEAD':
      return 'HeadObject';
    case 'DELETE':
      return isOf('uploadId') ? 'AbortMultipartUpload' : 'DeleteObject';
    case 'POST':
      if (isOf('uploads')) return 'CreateMultipartUpload';
      if (isOf('uploadId')) return 'CompleteMultipartUpload';
      break;
    case 'GET':
      if (key) return 'GetObject';
      if (isOf('uploads')) return 'ListMultipartUploads';
      if (query.get('list-type') === '2') return 'ListObjectsV2';
  }
  throw new S3Fault(501, 'NotImplemented');
}

function createHandlers(
  objects: S3Server['objects'],
  uploads: S3Server['uploads'],
): Record<S3Operation, (call: Call, isCut: boolean) => void> {
  const store = (key: string, bytes: Buffer) => {
    const object = { bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"`, modifiedAt: new Date() };
    objects.set(key, object);
    return object;
  };
  const found = (key: string) => {
    const object = objects.get(key);
    if (!object) throw new S3Fault(404, 'NoSuchKey');
    return object;
  };
  const uploadOf = ({ url }: Call) => {
    const upload = uploads.get(url.searchParams.get('uploadId') ?? '');
    if (!upload) throw new S3Fault(404, 'NoSuchUpload');
    return upload;
  };
  return {
    PutObject: ({ key, body, res }) => void res.setHeader('ETag', store(key, body).etag).end(),
    GetObject: (call, isCut) => sendObject(call, found(call.key), isCut),
    HeadObject({ key, res }) {
      const { bytes, etag, modifiedAt } = found(key);
      res
        .writeHead(200, { 'Content-Length': bytes.length, ETag: etag, 'Last-Modified': modifiedAt.toUTCString() })
        .end();
    },
    DeleteObject({ key, res }) {
      objects.delete(key);
      res.writeHead(204).end();
    },
    ListObjectsV2(call) {
      const names = [...objects.keys()].filter((key) => key.startsWith(call.url.searchParams.get('prefix') ?? ''));
      sendPage(call, { names: names.sort(), render: (key) => renderObject(key, found(key)) });
    },
    ListMultipartUploads({ url, res }) {
      const prefix = url.searchParams.get('prefix') ?? '';
      const rows = [...uploads]
        .filter(([, { key }]) => key.startsWith(prefix))
        .map(
          ([id, { key, beganAt }]) =>
            `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${beganAt.toISOString()}</Initiated></Upload>`,
        );
      sendXml(res, `<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`);
    },
    CreateMultipartUpload({ key, res }) {
      const id = randomUUID();
      uploads.set(id, { key, beganAt: new Date(), parts: new Map() });
      const text = `<Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`;
      sendXml(res, `<InitiateMultipartUploadResult>${text}</InitiateMultipartUploadResult>`);
    },
    UploadPart(call) {
      const number = Number(call.url.searchParams.get('partNumber'));
      uploadOf(call).parts.set(number, call.body);
      call.res.setHeader('ETag', `"part-${number}"`).end();
    },
    CompleteMultipartUpload(call) {
      const { key, parts } = uploadOf(call);
      const numbers = [...call.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) => Number(n));
      const bodies = numbers.map((number) => parts.get(number) ?? Buffer.alloc(0));
      // S3 refuses parts that are too small, all but the last.
      if (bodies.slice(0, -1).some(({ length }) => length < partSizeBytesMin)) throw new S3Fault(400, 'EntityTooSmall');
      uploads.delete(call.url.searchParams.get('uploadId') ?? '');
      const { etag } = store(key, Buffer.concat(bodies));
      const text = `<Bucket>${bucket}</Bucket><Key>${key}</Key><ETag>${etag}</ETag>`;
      sendXml(call.res, `<CompleteMultipartUploadResult>${text}</CompleteMultipartUploadResult>`);
    },
    AbortMultipartUpload(call) {
      uploadOf(call);
      uploads.delete(call.url.searchParams.get('uploadId') ?? '');
      call.res.writeHead(204).end();
    },
  };
}

function sendObject({ req, res, url }: Call, { bytes, etag, modifiedAt }: StoredObject, isCut: boolean): void {
  if (req.headers['if-match'] !== undefined && req.headers['if-match'] !== etag) {
    throw new S3Fault(412, 'PreconditionFailed');
  }
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(req.headers.range ?? '') ?? [];
  const isRange = req.headers.range !== undefined;
  const start = first === '' ? 0 : Number(first);
  const end = last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
  if (isRange && start >= bytes.length) throw new S3Fault(416, 'InvalidRange');
  const part = isRange ? bytes.subarray(start, end + 1) : bytes;
  const named = (parameter: string) => url.searchParams.get(parameter);
  res.writeHead(isRange ? 206 : 200, {
    'Accept-Ranges': 'bytes',
    'Content-Length': part.length,
    'Content-Type': named('response-content-type') ?? 'application/octet-stream',
    ETag: etag,
    'Last-Modified': modifiedAt.toUTCString(),
    ...(isRange && { 'Content-Range': `bytes ${start}-${end}/${bytes.length}` }),
    ...(named('response-content-disposition') && {
      'Content-Disposition': named('response-content-disposition') ?? '',
    }),
  });
  if (!isCut) return void res.end(part);
  res.write(part.subarray(0, Math.floor(part.length / 2)), () => setTimeout(() => req.socket.destroy(), 20));
}

type Page = { names: string[]; render: (name: string) => string };
const pageSize = 3;

function sendPage({ url, res }: Call, { names, render }: Page): void {
  const after = url.searchParams.get('continuation-token') ?? '';
  const left = names.filter((name) => name > after);
  const page = left.slice(0, pageSize);
  const isTruncated = left.length > page.length;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1) ?? ''}</NextContinuationToken>` : '';
  const text = `<IsTruncated>${String(isTruncated)}</IsTruncated>${next}${page.map(render).join('')}`;
  sendXml(res, `<ListBucketResult>${text}</ListBucketResult>`);
}

function renderObject(key: string, { bytes, modifiedAt }: StoredObject): string {
  const text = `<Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${modifiedAt.toISOString()}</LastModified>`;
  return `<Contents>${text}</Contents>`;
}

function sendXml(res: ServerResponse, text: string): void {
  res.writeHead(200, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
}
