import { Dialog } from '../ui/dialog.tsx';

const shortcuts: { keys: string[]; does: string }[] = [
  { keys: ['Space'], does: 'Play or pause' },
  { keys: ['←', '→'], does: 'Five seconds back or on' },
  { keys: ['J', 'K'], does: 'Previous or next utterance' },
  { keys: ['1', '–', '9'], does: 'Open that check and play its evidence' },
  { keys: ['/'], does: 'Find in the transcript' },
  { keys: ['?'], does: 'Show this list' },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
      <dl className="grid gap-2 pb-4">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt className="text-sm text-ink-soft">{does}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid h-6 min-w-6 place-items-center rounded-md border border-line bg-raised px-1.5 font-sans text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
