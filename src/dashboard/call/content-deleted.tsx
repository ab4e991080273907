import { Hourglass } from 'lucide-react';
import { formatDate } from '../lib/format.ts';
import { Empty } from '../ui/states.tsx';

/** What remains of a call after its retention. */
export function ContentDeleted({ at }: { at: Date }) {
  return (
    <Empty icon={<Hourglass aria-hidden />} title="Recording and transcript were deleted">
      The retention period of the project ended on {formatDate(at)}. Scores and figures stay.
    </Empty>
  );
}
