import { RefreshCw, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../session/me.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ReanalyzeDialog } from './reanalyze-dialog.tsx';
import type { Call } from './use-calls.ts';
import { useDeleteCalls } from './use-delete-calls.ts';
import type { Selection } from './use-selection.ts';

/** Actions on the selected calls. */
export function BulkBar({ selection }: { selection: Selection }) {
  const can = useCan();
  const deleteCalls = useDeleteCalls();
  const [analyzing, setAnalyzing] = useState<Call[] | null>(null);
  const { selected, clear } = selection;
  return (
    <>
      {selected.length > 0 && (
        <div
          role="toolbar"
          aria-label="Selected calls"
          className="sticky bottom-3 z-20 mx-2 mb-3 flex flex-wrap items-center gap-1 rounded-xl border border-line bg-surface px-2 py-2 shadow-float sm:gap-2 sm:px-3 sm:mx-auto sm:w-fit"
        >
          <span className="px-1 text-sm font-medium tabular-nums" role="status">
            {selected.length} selected
          </span>
          {can('analyses:reanalyze') && (
            <Button
              size="sm"
              icon={<RefreshCw className="size-3.5" aria-hidden />}
              onClick={() => setAnalyzing(selected)}
            >
              Re-analyze
            </Button>
          )}
          {can('records:delete') && (
            <Button
              size="sm"
              variant="danger"
              icon={<Trash2 className="size-3.5" aria-hidden />}
              onClick={() => {
                deleteCalls(selected.map(({ id }) => id));
                clear();
              }}
            >
              Delete
            </Button>
          )}
          <IconButton size="sm" label="Clear selection" icon={<X className="size-4" aria-hidden />} onClick={clear} />
        </div>
      )}
      {analyzing && (
        <ReanalyzeDialog
          calls={analyzing}
          onClose={() => {
            setAnalyzing(null);
            clear();
          }}
        />
      )}
    </>
  );
}
