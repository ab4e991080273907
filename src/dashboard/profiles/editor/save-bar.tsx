import { clsx } from 'clsx';
import { Button } from '../../ui/button.tsx';
import type { useProfileEditor } from './use-profile-editor.ts';

type Props = { editing: ReturnType<typeof useProfileEditor>; isBlocked: boolean; onSave: () => void };

/** Visible whenever there are unsaved changes. */
export function SaveBar({ editing, isBlocked, onSave }: Props) {
  const { base, theirs, isRubricDirty, isSaving, discard } = editing;
  const next = (theirs ?? base).version + 1;
  return (
    <div
      role="region"
      aria-label="Unsaved changes"
      className={clsx(
        'sticky bottom-3 z-20 mt-5 flex flex-wrap items-center justify-end gap-2 rounded-xl border bg-surface px-4 py-2.5 shadow-float',
        theirs ? 'border-warn' : 'border-line',
      )}
    >
      <div className="min-w-0 flex-1 basis-56 text-xs text-ink-soft">
        {theirs ? (
          <p role="alert">
            <strong className="font-semibold text-warn">
              Somebody else has saved version {theirs.version} meanwhile.
            </strong>{' '}
            Your changes were made to version {base.version} and are not saved.
          </p>
        ) : (
          <p>
            {isRubricDirty
              ? `Saving makes version ${next}. It scores calls from then on; earlier analyses keep theirs.`
              : 'A change of name or description makes no new version.'}
          </p>
        )}
      </div>
      <Button variant="ghost" disabled={isSaving} onClick={discard}>
        {theirs ? `Drop mine, load version ${theirs.version}` : 'Discard'}
      </Button>
      <Button variant="primary" disabled={isBlocked} isBusy={isSaving} onClick={onSave}>
        {theirs ? `Save mine as version ${next}` : isRubricDirty ? `Save as version ${next}` : 'Save'}
      </Button>
    </div>
  );
}
