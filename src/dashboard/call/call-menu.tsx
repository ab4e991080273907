import { ArrowLeftRight, Download, EllipsisVertical, Link2, RefreshCw, Trash2 } from 'lucide-react';
import { useCan, useMe } from '../session/me.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import { useCall } from './call-context.tsx';
import { downloadTranscript, type TranscriptFormat } from './downloads.ts';
import { useDeleteCall } from './use-delete-call.ts';

const formats: { format: TranscriptFormat; label: string }[] = [
  { format: 'vtt', label: 'WebVTT subtitles' },
  { format: 'srt', label: 'SubRip subtitles' },
  { format: 'txt', label: 'Plain text' },
  { format: 'json', label: 'JSON with word times' },
];

type Props = { canReanalyze: boolean; onReanalyze: () => void; onSwap: () => void };

export function CallMenu({ canReanalyze, onReanalyze, onSwap }: Props) {
  const { record, player } = useCall();
  const { session } = useMe();
  const can = useCan();
  const deleteCall = useDeleteCall();
  const hasTranscript = record.status === 'completed' && record.contentDeletedAt === null;
  const download = (format: TranscriptFormat): void => {
    downloadTranscript({ recordId: record.id, format, session }).catch((error: unknown) =>
      toast.failed('The transcript was not downloaded', error),
    );
  };
  const copyLink = (): void => {
    const address = new URL(`/calls/${record.id}`, location.origin);
    address.searchParams.set('t', String(Math.round(player.timeMs())));
    navigator.clipboard.writeText(address.href).then(
      () => toast.done('Link copied', 'It opens the call at this moment.'),
      (error: unknown) => toast.failed('The link was not copied', error),
    );
  };
  return (
    <Menu
      trigger={
        <IconButton label="More" variant="secondary" icon={<EllipsisVertical className="size-4" aria-hidden />} />
      }
    >
      {canReanalyze && (
        <>
          <MenuItem icon={<RefreshCw aria-hidden />} onSelect={onReanalyze}>
            Re-analyze
          </MenuItem>
          <MenuItem icon={<ArrowLeftRight aria-hidden />} onSelect={onSwap}>
            Swap agent and customer
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Link2 aria-hidden />} onSelect={copyLink}>
        Copy link to this moment
      </MenuItem>
      {hasTranscript && (
        <>
          <MenuSeparator />
          <MenuLabel>Download the transcript</MenuLabel>
          {formats.map(({ format, label }) => (
            <MenuItem key={format} icon={<Download aria-hidden />} onSelect={() => download(format)}>
              {label}
            </MenuItem>
          ))}
        </>
      )}
      {can('records:delete') && (
        <>
          <MenuSeparator />
          <MenuItem isDanger icon={<Trash2 aria-hidden />} onSelect={deleteCall}>
            Delete the call
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
