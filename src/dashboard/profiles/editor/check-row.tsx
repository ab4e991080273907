import { formatPercent } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { kinds } from '../words.ts';
import { CheckFields } from './check-fields.tsx';
import { shareOf, type DraftCheck } from './draft.ts';
import { useEditor } from './editor-context.tsx';
import { ExpandableRow } from './expandable-row.tsx';

type Props = {
  check: DraftCheck;
  siblings: DraftCheck[];
  index: number;
  path: string;
  onChange: (check: DraftCheck) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

export function CheckRow({ check, siblings, index, path, onChange, onMove, onRemove }: Props) {
  const { preview } = useEditor();
  return (
    <ExpandableRow
      uid={check.uid}
      title={check.title || 'Untitled check'}
      count={siblings.length}
      answer={preview?.checks.find(({ key }) => key === check.key)?.answer}
      badges={
        <>
          {check.critical && <Badge tone="bad">Critical</Badge>}
          <Badge className="hidden sm:inline-flex">{kinds[check.kind]}</Badge>
          <span className="w-10 text-right text-xs text-ink-soft tabular-nums" title="Share of the category">
            {formatPercent(shareOf(check.weight, siblings))}
          </span>
        </>
      }
      {...{ path, index, onMove, onRemove }}
    >
      <CheckFields check={check} path={path} onChange={onChange} />
    </ExpandableRow>
  );
}
