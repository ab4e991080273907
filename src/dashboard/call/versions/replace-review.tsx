import { useCall } from '../call-context.tsx';
import { useVersions } from '../use-call-data.ts';

/** Whether somebody has reviewed what the call shows, so that a new analysis would replace a review. */
export function useIsReviewed(): boolean {
  const { record } = useCall();
  return useVersions(record.id).data?.data.some(({ current, reviewed }) => current && reviewed) ?? false;
}

type Props = { isReplaced: boolean; onChange: (isReplaced: boolean) => void };

/** The reader says so in so many words before somebody else's work goes. */
export function ReplaceReview({ isReplaced, onChange }: Props) {
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        required
        checked={isReplaced}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-0.5 size-4 accent-accent"
      />
      <span>
        Replace the review
        <span className="block text-xs text-ink-faint">
          This call has been reviewed. The reviewed scores stay until the new ones are there; then those count.
        </span>
      </span>
    </label>
  );
}
