import { useNavigate } from '@tanstack/react-router';
import { PhoneCall } from 'lucide-react';
import { formatClock, formatWhen } from '../../lib/format.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { Spinner } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { PreviewResult } from './preview-result.tsx';
import { useCurrentAnalysis, type useCalls, type usePreview } from './use-preview.ts';

type Call = Outputs['records']['list']['data'][number];
type Props = {
  calls: ReturnType<typeof useCalls>;
  recordId: string | undefined;
  preview: ReturnType<typeof usePreview>;
  faultCount: number;
};

/** A call of the organization, scored with the edited rubric. */
export function PreviewPanel({ calls, recordId, preview, faultCount }: Props) {
  const analysis = useCurrentAnalysis(recordId);
  const list = calls.data?.data ?? [];
  if (calls.isPending) return <SkeletonRows rows={6} />;
  if (calls.isError) return <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />;
  if (recordId === undefined)
    return (
      <Card>
        <Empty icon={<PhoneCall aria-hidden />} title="No call to try it on yet">
          As soon as a call has been transcribed, you see here what the rubric makes of it.
        </Empty>
      </Card>
    );
  return (
    <Card
      title="Try it on a call"
      description="Scored by the rules as you edit. Nothing is stored or charged."
      action={preview.isFetching && <Spinner />}
    >
      <CallSelect calls={list} recordId={recordId} />
      {faultCount > 0 && (
        <p role="status" className="mt-3 rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">
          The preview waits: {faultCount === 1 ? 'one field is' : `${faultCount} fields are`} not complete.
        </p>
      )}
      <div className="mt-3">
        {preview.isPending && faultCount === 0 && <SkeletonRows rows={6} />}
        {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
        {preview.data && <PreviewResult preview={preview.data} current={analysis.data} recordId={recordId} />}
      </div>
    </Card>
  );
}

function CallSelect({ calls, recordId }: { calls: Call[]; recordId: string }) {
  const navigate = useNavigate({ from: '/profiles/$id' });
  return (
    <Field label="Call">
      {(props) => (
        <Select
          {...props}
          value={recordId}
          onChange={({ target }) =>
            void navigate({ search: (now) => ({ ...now, call: target.value }), replace: true, resetScroll: false })
          }
        >
          {!calls.some(({ id }) => id === recordId) && <option value={recordId}>The chosen call</option>}
          {calls.map((call) => (
            <option key={call.id} value={call.id}>
              {describe(call)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function describe({ agentName, duration, qualityScore, createdAt }: Call): string {
  const length = duration === null ? null : formatClock(duration * 1000);
  const score = qualityScore === null ? 'no score' : `score ${qualityScore}`;
  return [agentName ?? 'Unknown agent', formatWhen(createdAt), length, score].filter(Boolean).join(' · ');
}
