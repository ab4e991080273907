import { flushSync } from 'react-dom';
import { Field, Select } from '../../ui/field.tsx';
import { moveCheck, type DraftCheck } from './draft.ts';
import { useEditor } from './editor-context.tsx';

/** The category of a check. Choosing another one moves the check to its end, open and focused. */
export function CategoryField({ check }: { check: DraftCheck }) {
  const { draft, change } = useEditor();
  const current = draft.categories.find(({ checks }) => checks.some(({ uid }) => uid === check.uid));
  const moveTo = (categoryUid: string): void => {
    flushSync(() => change((now) => moveCheck(now, check.uid, categoryUid)));
    const moved = document.querySelector<HTMLElement>(`[data-uid="${check.uid}"] select[name="category"]`);
    moved?.focus({ preventScroll: true });
    moved?.scrollIntoView({ block: 'center' });
  };
  return (
    <Field label="Category" hint="The check counts there by its weight.">
      {(props) => (
        <Select {...props} name="category" value={current?.uid} onChange={({ target }) => moveTo(target.value)}>
          {draft.categories.map(({ uid, title }) => (
            <option key={uid} value={uid}>
              {title || 'Untitled category'}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
