import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Address } from '../../lib/storage-url.ts';
import { StorageError } from './interface.ts';

export type S3Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };

export type S3ClientOptions = {
  address: S3Address;
  /** By default, the SDK uses the role of the machine, the container or the pod. */
  credentials: S3Credentials | undefined;
};

/** The first try and three more, with growing delays: what a busy storage asks for (503 SlowDown). */
const attemptsMax = 4;
const connectTimeoutMs = 3_000;
/** From the first byte of a request, at most a part of 5 MB, to the first byte of the answer. */
const requestTimeoutMs = 30_000;
/** Without a byte in either direction. */
const idleTimeoutMs = 10_000;
const socketsMax = 200;
const regionDefault = 'us-east-1';

/** A client for one storage. `endpoint` overrides that of the address. Throws if no region is known. */
export function createS3Client({ address, credentials }: S3ClientOptions, endpoint = address.endpoint): S3Client {
  // Storages other than AWS require some region, whichever it is.
  const region = address.region ?? (endpoint === undefined ? undefined : regionDefault);
  return new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials: toIdentity(credentials) }),
    forcePathStyle: address.forcePathStyle,
    maxAttempts: attemptsMax,
    // Not every storage supports the newer checksums; we hash the data ourselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: idleTimeoutMs,
      httpAgent: { maxSockets: socketsMax },
      httpsAgent: { maxSockets: socketsMax },
    },
  });
}

function toIdentity({ sessionToken, ...keys }: S3Credentials) {
  return sessionToken === undefined ? keys : { ...keys, sessionToken };
}

/** Wraps any error of a storage request: details about keys and hosts stay in the cause. */
export function toStorageError(err: unknown): StorageError {
  if (err instanceof StorageError) return err;
  if (isMissing(err)) return new StorageError('not_found', 'There is no such object.', { cause: err });
  const name = err instanceof Error ? err.name : 'unknown';
  const isSilent = !(err instanceof S3ServiceException);
  return new StorageError('unavailable', `The object storage cannot be used (${name}).`, { cause: err, isSilent });
}

/** A missing bucket is a configuration error, not a missing object. */
function isMissing(err: unknown): boolean {
  if (!(err instanceof S3ServiceException) || err.name === 'NoSuchBucket') return false;
  return err.name === 'NoSuchKey' || err.name === 'NotFound' || err.$metadata.httpStatusCode === 404;
}
