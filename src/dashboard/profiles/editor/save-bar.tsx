import { Button } from '../../ui/button.tsx';
import type { useProfileEditor } from './use-profile-editor.ts';

type Props = { editing: ReturnType<typeof useProfileEditor>; isBlocked: boolean; onSave: () => void };

/** In reach wherever the rubric is changed, and only then. */
export function SaveBar({ editing, isBlocked, onSave }: Props) {
  const { base, isRubricDirty, isSaving, discard } = editing;
  return (
    <div
      role="region"
      aria-label="Unsaved changes"
      className="sticky bottom-3 z-20 mt-5 flex flex-wrap items-center justify-end gap-2 rounded-xl border border-line bg-surface px-4 py-2.5 shadow-float"
    >
      <p className="min-w-0 flex-1 basis-56 text-xs text-ink-soft">
        {isRubricDirty
          ? `Saving makes version ${base.version + 1}. It scores calls from then on; earlier analyses keep theirs.`
          : 'A change of name or description makes no new version.'}
      </p>
      <Button variant="ghost" onClick={discard}>
        Discard
      </Button>
      <Button variant="primary" disabled={isBlocked} isBusy={isSaving} onClick={onSave}>
        {isRubricDirty ? `Save as version ${base.version + 1}` : 'Save'}
      </Button>
    </div>
  );
}
