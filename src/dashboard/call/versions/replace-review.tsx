import { CheckOption } from '../../ui/check-option.tsx';
import { useCall } from '../call-context.tsx';
import { useVersions } from '../use-call-data.ts';

/** Whether the current analysis was reviewed, so that a new one would replace the review. */
export function useIsReviewed(): boolean {
  const { record } = useCall();
  return useVersions(record.id).data?.data.some(({ current, reviewed }) => current && reviewed) ?? false;
}

type Props = { isReplaced: boolean; onChange: (isReplaced: boolean) => void };

/** The user must confirm explicitly that somebody else's work is replaced. */
export function ReplaceReview({ isReplaced, onChange }: Props) {
  return (
    <CheckOption
      label="Replace the review"
      hint="This call was reviewed. The reviewed scores count until the new ones are ready."
      required
      checked={isReplaced}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
