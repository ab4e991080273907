import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { randomId } from '../lib/random-id.ts';
import { requestHeaders } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import type { Session } from '../session/session.ts';
import { DropZone } from './drop-zone.tsx';
import { createUploadQueue, isOpen, type UploadQueue } from './queue.ts';
import { onUploadRequest } from './request-upload.ts';
import { sendFile } from './send.ts';

const UploadDialog = lazy(async () => ({ default: (await import('./upload-dialog.tsx')).UploadDialog }));
const UploadNews = lazy(async () => ({ default: (await import('./upload-news.tsx')).UploadNews }));
const UploadsPanel = lazy(async () => ({ default: (await import('./uploads-panel.tsx')).UploadsPanel }));

/** Accepts files dropped anywhere, asks for their details, and shows their progress on every screen. */
export function Uploads() {
  const { org, session } = useMe();
  const queue = queueOf(session);
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const [files, setFiles] = useState<File[] | null>(null);
  const items = useMemo(() => uploads.items.filter(({ orgId }) => orgId === org.id), [uploads.items, org.id]);
  useEffect(() => onUploadRequest((added) => setFiles((chosen) => [...(chosen ?? []), ...added])), []);
  useLeaveWarning(uploads.items.some(isOpen));
  return (
    <>
      <DropZone onFiles={(dropped) => setFiles((chosen) => [...(chosen ?? []), ...dropped])} />
      <Suspense fallback={null}>
        {files && (
          <UploadDialog
            files={files}
            onFiles={setFiles}
            onClose={() => setFiles(null)}
            onStart={(facts) => {
              queue.add({ orgId: org.id, files, facts });
              setFiles(null);
            }}
          />
        )}
        {items.length > 0 && (
          <>
            <UploadsPanel items={items} uploads={uploads} queue={queue} />
            <UploadNews items={items} />
          </>
        )}
      </Suspense>
    </>
  );
}

const queues = new WeakMap<Session, UploadQueue>();

/** One for the page: it outlives every screen. */
function queueOf(session: Session): UploadQueue {
  const known = queues.get(session);
  if (known) return known;
  const queue = createUploadQueue({
    newId: randomId,
    async send({ file, facts, orgId, idempotencyKey }, { signal, onProgress }) {
      const own = await requestHeaders(session).catch(() => ({}));
      // The organization at the time when the files were chosen.
      const headers = { ...own, 'x-selected-org-id': orgId, 'idempotency-key': idempotencyKey };
      const answer = await sendFile({ file, facts, headers, signal, onProgress });
      if (answer.kind === 'refused' && answer.status === 401) session.expire();
      return answer;
    },
  });
  queues.set(session, queue);
  return queue;
}

function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
