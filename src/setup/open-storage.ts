import path from 'node:path';
import type { Config } from '../config/config.ts';
import { workRoot } from '../lib/work-folder.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';
import { createLocalStorage } from '../providers/object-storage/local.ts';
import { observedStorage } from '../providers/object-storage/observed.ts';

/** Loads the S3 client only if it is needed, since that takes a while. */
export async function openStorage(config: Config): Promise<ObjectStorage> {
  const { DATA_DIR, STORAGE_URL: address, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = config;
  if (!address) return observedStorage('files', createLocalStorage({ directory: path.resolve(DATA_DIR, 'objects') }));
  const { createS3Storage } = await import('../providers/object-storage/s3.ts');
  const hasKeys = AWS_ACCESS_KEY_ID !== undefined && AWS_SECRET_ACCESS_KEY !== undefined;
  const storage = createS3Storage({
    address: { ...address, region: address.region ?? config.AWS_REGION },
    credentials: hasKeys
      ? { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken: AWS_SESSION_TOKEN }
      : undefined,
    tempDir: workRoot(DATA_DIR),
    isPlaybackPresigned: config.S3_PRESIGNED_PLAYBACK,
  });
  return observedStorage('s3', storage);
}
