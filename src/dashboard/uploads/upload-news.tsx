import { useLiveCall } from '../calls/use-live-call.ts';
import { isOpen, type Upload } from './queue.ts';
import { inWords } from './words.ts';

/** For screen readers: announces finished and failed uploads, without progress. */
export function UploadNews({ items }: { items: Upload[] }) {
  return (
    <div role="status" aria-atomic="false" className="sr-only">
      <p>{items.some(isOpen) ? '' : inWords(items)}</p>
      {items.map(({ id, file, state }) =>
        state.kind === 'accepted' ? <CallNews key={id} recordId={state.recordId} name={file.name} /> : null,
      )}
    </div>
  );
}

function CallNews({ recordId, name }: { recordId: string; name: string }) {
  const { call } = useLiveCall(recordId);
  if (call?.status === 'failed') return <p>{name} could not be processed</p>;
  if (call?.status !== 'completed') return null;
  return (
    <p>
      {name} is completed, {call.qualityScore === null ? 'without a score' : `score ${call.qualityScore}`}
    </p>
  );
}
