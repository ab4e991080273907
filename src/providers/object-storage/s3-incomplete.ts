import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  S3ServiceException,
  type S3Client,
} from '@aws-sdk/client-s3';

export type IncompleteUpload = { key: string; uploadId: string; beganAt: Date };

type Where = { client: S3Client; bucket: string; prefix: string };

/** Multipart uploads that were started and neither completed nor aborted. Empty if a storage does not list them. */
export async function* incompleteUploads({ client, bucket, prefix }: Where): AsyncGenerator<IncompleteUpload> {
  let marker: Marker | undefined = {};
  while (marker) {
    const page = await listPage({ client, bucket, prefix }, marker);
    for (const { Key: key, UploadId: uploadId, Initiated: beganAt } of page?.Uploads ?? []) {
      if (key !== undefined && uploadId !== undefined && beganAt) yield { key, uploadId, beganAt };
    }
    marker = nextOf(page);
  }
}

type Marker = { KeyMarker?: string; UploadIdMarker?: string };
type Page = ListMultipartUploadsCommandOutput | undefined;

async function listPage({ client, bucket, prefix }: Where, marker: Marker): Promise<Page> {
  try {
    return await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker }));
  } catch (err) {
    if (isNotOffered(err)) return undefined;
    throw err;
  }
}

function nextOf(page: Page): Marker | undefined {
  const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page ?? {};
  const isLast = !IsTruncated || KeyMarker === undefined || UploadIdMarker === undefined;
  return isLast ? undefined : { KeyMarker, UploadIdMarker };
}

function isNotOffered(err: unknown): boolean {
  return err instanceof S3ServiceException && (err.name === 'NotImplemented' || err.$metadata.httpStatusCode === 501);
}
