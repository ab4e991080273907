import { Link } from '@tanstack/react-router';
import { Ban, RotateCcw, X } from 'lucide-react';
import { LiveStatus } from '../calls/live-status.tsx';
import { formatBytes, formatPercent } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { ProgressBar } from '../ui/progress.tsx';
import type { Upload, UploadQueue } from './queue.ts';

type Props = { upload: Upload; queue: UploadQueue };

export function UploadRow({ upload, queue }: Props) {
  const { id, file, state } = upload;
  return (
    <li className="px-4 py-2">
      <div className="flex min-h-7 items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-sm" title={file.name}>
          {state.kind === 'accepted' ? (
            <Link to="/calls/$id" params={{ id: state.recordId }} className="font-medium hover:underline">
              {file.name}
            </Link>
          ) : (
            file.name
          )}
        </span>
        <Progress upload={upload} />
        {state.kind === 'failed' && (
          <IconButton
            size="sm"
            label={`Retry ${file.name}`}
            icon={<RotateCcw className="size-3.5" aria-hidden />}
            onClick={() => queue.retry(id)}
          />
        )}
        {state.kind !== 'accepted' && (
          <IconButton
            size="sm"
            label={state.kind === 'failed' ? `Dismiss ${file.name}` : `Cancel ${file.name}`}
            icon={
              state.kind === 'failed' ? <X className="size-4" aria-hidden /> : <Ban className="size-3.5" aria-hidden />
            }
            onClick={() => queue.remove(id)}
          />
        )}
      </div>
      {state.kind === 'failed' && (
        <p role="alert" className="pr-14 text-xs text-bad">
          {state.message}
        </p>
      )}
      {state.kind === 'sending' && <ProgressBar share={state.share} label={`Upload of ${file.name}`} />}
    </li>
  );
}

function Progress({ upload: { state, file } }: { upload: Upload }) {
  switch (state.kind) {
    case 'queued':
      return <span className="text-xs text-ink-faint tabular-nums">{formatBytes(file.size)}, next</span>;
    case 'sending':
      return (
        <span className="text-xs text-ink-soft tabular-nums">
          {state.share < 1 ? formatPercent(state.share) : 'Being stored'}
        </span>
      );
    case 'failed':
      return <Badge tone="bad">Not uploaded</Badge>;
    case 'accepted':
      return <LiveStatus id={state.recordId} showsScore />;
    default:
      return state satisfies never;
  }
}
