import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { useTRPC } from '../../lib/trpc.ts';
import { ComplianceBadge, ScoreBadge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { Table, Td, Th } from '../../ui/table.tsx';
import { AnswerBadge } from '../score/answer-badge.tsx';
import type { Analysis, Version } from '../use-call-data.ts';
import { wordsOf } from '../words.ts';
import { compareAnalyses, type Comparison } from './compare.ts';
import { labelOf } from './label.ts';

const alone = { trpc: { context: { alone: true } } };

/** Two versions side by side: the scores, and the checks whose answers differ. */
export function CompareDialog({ versions, onClose }: { versions: Version[]; onClose: () => void }) {
  const trpc = useTRPC();
  const [newer, setNewer] = useState(versions[0]?.id ?? '');
  const [older, setOlder] = useState(versions[1]?.id ?? '');
  const left = useQuery(trpc.analyses.get.queryOptions({ id: older }, alone));
  const right = useQuery(trpc.analyses.get.queryOptions({ id: newer }, alone));
  const failed = [left, right].find(({ isError }) => isError);
  return (
    <Dialog isOpen onClose={onClose} title="Compare versions" size="lg">
      <div className="grid gap-3 pb-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <VersionSelect label="Left" versions={versions} value={older} onChange={setOlder} />
          <VersionSelect label="Right" versions={versions} value={newer} onChange={setNewer} />
        </div>
        {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
        {!failed && (!left.data || !right.data) && <SkeletonRows />}
        {left.data && right.data && <Comparing left={left.data} right={right.data} />}
      </div>
    </Dialog>
  );
}

type SelectProps = { label: string; versions: Version[]; value: string; onChange: (id: string) => void };

function VersionSelect({ label, versions, value, onChange }: SelectProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {versions.map((version) => (
            <option key={version.id} value={version.id}>
              {labelOf(version)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function Comparing({ left, right }: { left: Analysis; right: Analysis }) {
  const { categories, checks, sameCount } = compareAnalyses(left, right);
  return (
    <>
      <Table label="Scores of both versions">
        <thead>
          <tr>
            <Th>Score</Th>
            <Th>Version {left.version}</Th>
            <Th>Version {right.version}</Th>
            <Th>Change</Th>
          </tr>
        </thead>
        <tbody>
          <ScoreRow label="Quality score" left={left.qualityScore} right={right.qualityScore} isStrong />
          {categories.map(({ key, ...scores }) => (
            <ScoreRow key={key} label={wordsOf(key)} {...scores} />
          ))}
          <tr>
            <Td>Compliance</Td>
            <Td>
              <ComplianceBadge status={left.complianceStatus} />
            </Td>
            <Td>
              <ComplianceBadge status={right.complianceStatus} />
            </Td>
            <Td />
          </tr>
        </tbody>
      </Table>
      <ChangedChecks checks={checks} sameCount={sameCount} />
    </>
  );
}

type ScoreRowProps = { label: string; left: number | null; right: number | null; isStrong?: boolean };

function ScoreRow({ label, left, right, isStrong = false }: ScoreRowProps) {
  const change = left === null || right === null ? null : right - left;
  return (
    <tr>
      <Td className={clsx(isStrong && 'font-semibold')}>{label}</Td>
      <Td>
        <ScoreBadge score={left} />
      </Td>
      <Td>
        <ScoreBadge score={right} />
      </Td>
      <Td
        className={clsx(
          'tabular-nums',
          change === null || change === 0 ? 'text-ink-faint' : change > 0 ? 'text-good' : 'text-bad',
        )}
      >
        {change === null ? '–' : change > 0 ? `+${change}` : change}
      </Td>
    </tr>
  );
}

function ChangedChecks({ checks, sameCount }: Pick<Comparison, 'checks' | 'sameCount'>) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">
        {checks.length === 0 ? 'No check was answered differently' : 'Checks that changed'}
        <span className="font-normal text-ink-faint"> · {sameCount} the same</span>
      </h3>
      <ul className="grid gap-2">
        {checks.map(({ key, title, left, right }) => (
          <li key={key} className="rounded-xl border border-line p-3">
            <p className="text-sm font-medium">{title}</p>
            <div className="mt-1.5 grid gap-3 sm:grid-cols-2">
              {[left, right].map((check, side) => (
                <div key={side === 0 ? 'left' : 'right'} className="text-xs text-ink-soft">
                  {check ? <AnswerBadge answer={check.answer} /> : 'Not asked'}
                  {check && <p className="mt-1">{check.rationale}</p>}
                </div>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
