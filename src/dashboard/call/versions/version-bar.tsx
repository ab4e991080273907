import { useNavigate } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button, Spinner } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { useCall } from '../call-context.tsx';
import { isUnderWay, useVersions } from '../use-call-data.ts';
import { CompareDialog } from './compare-dialog.tsx';
import { labelOf } from './label.ts';

/** The shown version and the others; empty if there is only one. */
export function VersionBar() {
  const { record, analysis } = useCall();
  const [isComparing, setComparing] = useState(false);
  const navigate = useNavigate({ from: '/calls/$id' });
  const versions = useVersions(record.id).data?.data ?? [];
  const ordered = versions.toSorted((a, b) => b.version - a.version);
  const running = ordered.find(({ status }) => isUnderWay(status));
  const completed = ordered.filter(({ status }) => status === 'completed');
  if (ordered.length < 2) return null;
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <Select
          aria-label="Version of the analysis"
          value={analysis?.id ?? ''}
          onChange={({ target }) => {
            const isCurrent = target.value === record.analysisId;
            void navigate({ search: (now) => ({ ...now, analysis: isCurrent ? undefined : target.value }) });
          }}
        >
          {ordered.map((version) => (
            <option key={version.id} value={version.id}>
              {labelOf(version)}
            </option>
          ))}
        </Select>
        {completed.length > 1 && (
          <Button icon={<GitCompareArrows className="size-4" aria-hidden />} onClick={() => setComparing(true)}>
            Compare
          </Button>
        )}
      </div>
      {running && (
        <p
          role="status"
          className="flex items-center gap-2 rounded-lg bg-accent-soft px-3 py-2 text-xs text-accent-strong"
        >
          <Spinner />
          Version {running.version} by “{running.profile.name}” is{' '}
          {running.status === 'pending' ? 'waiting' : 'under way'}
        </p>
      )}
      {analysis && <VersionNotes analysis={analysis} />}
      {isComparing && <CompareDialog versions={completed} onClose={() => setComparing(false)} />}
    </div>
  );
}

function VersionNotes({ analysis }: { analysis: NonNullable<ReturnType<typeof useCall>['analysis']> }) {
  return (
    <>
      {!analysis.current && analysis.status === 'completed' && (
        <p>
          <Badge tone="warn">An earlier version</Badge>
        </p>
      )}
      {analysis.failure && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-xs text-bad">
          This version failed: {analysis.failure.message}
        </p>
      )}
      {analysis.reason && <p className="text-xs text-ink-soft">Reason: {analysis.reason}</p>}
    </>
  );
}
