/** Address and protocol details of an S3 bucket. */
export type S3Address = {
  bucket: string;
  /** Prefix of all keys, empty or ending in `/`. */
  prefix: string;
  region: string | undefined;
  /** Endpoint of a storage other than AWS. */
  endpoint: string | undefined;
  /** The same storage as browsers reach it, for addresses that are given to them. */
  publicEndpoint: string | undefined;
  /** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`. */
  forcePathStyle: boolean;
};

const parameters = new Set(['region', 'endpoint', 'publicEndpoint', 'forcePathStyle']);
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPattern = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/;
const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads `s3://bucket/prefix?region=…&endpoint=…&forcePathStyle=true`. Throws an error that names the mistake. */
export function parseStorageUrl(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:') throw new Error('Expected s3://bucket/prefix?region=…');
  if (url.username || url.password) throw new Error('Keys belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (!bucketPattern.test(url.host)) throw new Error('The name of the bucket is not valid');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  if (prefix && !prefixPattern.test(prefix)) throw new Error('The prefix may contain letters, digits, _, - and /');
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined) throw new Error(`Unknown parameter; known are ${[...parameters].join(', ')}`);
  return {
    bucket: url.host,
    prefix: prefix && `${prefix}/`,
    region: url.searchParams.get('region') || undefined,
    endpoint: originOf(url, 'endpoint'),
    publicEndpoint: originOf(url, 'publicEndpoint'),
    forcePathStyle: flagOf(url, 'forcePathStyle'),
  };
}

function originOf({ searchParams }: URL, name: string): string | undefined {
  const text = searchParams.get(name) || undefined;
  if (text !== undefined && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) {
    throw new Error(`${name} must be an http or https address`);
  }
  return text;
}

function flagOf({ searchParams }: URL, name: string): boolean {
  const value = flags.get(searchParams.get(name) ?? 'false');
  if (value === undefined) throw new Error(`${name} must be true or false`);
  return value;
}
