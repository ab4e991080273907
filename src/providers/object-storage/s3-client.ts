import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Address } from '../../lib/storage-url.ts';
import { StorageError } from './interface.ts';

export type S3Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };

export type S3ClientOptions = {
  address: S3Address;
  /** Without them the SDK looks where it is used to: roles of the machine, of the container, of the pod. */
  credentials: S3Credentials | undefined;
};

/** The first try and three more, further and further apart: what a storage asks for when it is busy (503 SlowDown). */
const attemptsMax = 4;
const connectTimeoutMs = 3_000;
/** From the first byte of a request, a part of 5 MB at most, to the first of its answer. */
const requestTimeoutMs = 30_000;
/** Without a byte in either direction. */
const idleTimeoutMs = 10_000;
const socketsMax = 200;
const regionDefault = 'us-east-1';

/** A client of one storage. `endpoint` overrides that of the address. Throws where no region is known. */
export function createS3Client({ address, credentials }: S3ClientOptions, endpoint = address.endpoint): S3Client {
  // Storages other than AWS want some region, whichever it is.
  const region = address.region ?? (endpoint === undefined ? undefined : regionDefault);
  return new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials: toIdentity(credentials) }),
    forcePathStyle: address.forcePathStyle,
    maxAttempts: attemptsMax,
    // Not every storage knows the newer checksums; what is stored is hashed by ourselves.
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

/** For everything that comes of a call to the storage: what it may have said of keys and hosts stays in the cause. */
export function toStorageError(err: unknown): StorageError {
  if (err instanceof StorageError) return err;
  if (isMissing(err)) return new StorageError('not_found', 'There is no such object.', { cause: err });
  const name = err instanceof Error ? err.name : 'unknown';
  const isSilent = !(err instanceof S3ServiceException);
  return new StorageError('unavailable', `The object storage cannot be used (${name}).`, { cause: err, isSilent });
}

/** A bucket that is missing is a mistake of the configuration, not an object that is gone. */
function isMissing(err: unknown): boolean {
  if (!(err instanceof S3ServiceException) || err.name === 'NoSuchBucket') return false;
  return err.name === 'NoSuchKey' || err.name === 'NotFound' || err.$metadata.httpStatusCode === 404;
}
