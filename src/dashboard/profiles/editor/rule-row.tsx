import { clsx } from 'clsx';
import { ChevronRight, CircleAlert } from 'lucide-react';
import type { ComplianceRule } from '../../../domain/profiles/rubric.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { CheckOption } from '../../ui/check-option.tsx';
import { Input } from '../../ui/field.tsx';
import { AnswerBadge } from '../preview/answer-badge.tsx';
import { kindHints, kinds, ruleDetectors, severities } from '../words.ts';
import { ConditionField } from './condition-field.tsx';
import type { DraftRule } from './draft.ts';
import { DraftField } from './draft-field.tsx';
import { hasFault, useEditor } from './editor-context.tsx';
import { LimitFields } from './limit-fields.tsx';
import { OptionsSelect } from './options-select.tsx';
import { PhraseFields } from './phrase-fields.tsx';
import { QuestionFields } from './question-fields.tsx';
import { moveByKey, RowControls } from './row-controls.tsx';

type Props = {
  rule: DraftRule;
  index: number;
  onChange: (rule: DraftRule) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

const tones: Record<ComplianceRule['severity'], Tone> = { low: 'neutral', medium: 'warn', high: 'bad' };

export function RuleRow({ rule, index, onChange, onMove, onRemove }: Props) {
  const { draft, openUids, toggle, preview, faults, showsAll, isReadOnly } = useEditor();
  const path = `compliance.${index}`;
  const isOpen = openUids.has(rule.uid);
  const answer = preview?.complianceFindings.find(({ key }) => key === rule.key)?.answer;
  const title = rule.title || 'Untitled rule';
  return (
    <li data-uid={rule.uid} className="border-t border-line first:border-t-0">
      <div className="flex items-center gap-1 pr-2 hover:bg-raised/60">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => toggle(rule.uid)}
          onKeyDown={isReadOnly ? undefined : moveByKey(onMove)}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 py-2 pl-3 text-left focus-visible:-outline-offset-2"
        >
          <ChevronRight
            className={clsx('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
            aria-hidden
          />
          <span className="min-w-0 flex-1 basis-32 truncate font-medium">{title}</span>
          {showsAll && hasFault(faults, path) && (
            <Badge tone="bad" icon={<CircleAlert aria-hidden />}>
              Look here
            </Badge>
          )}
          {rule.enabled ? <Badge tone={tones[rule.severity]}>{severities[rule.severity]}</Badge> : <Badge>Off</Badge>}
          {answer && <AnswerBadge answer={answer} />}
        </button>
        <RowControls
          name={title}
          isFirst={index === 0}
          isLast={index === draft.compliance.length - 1}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      {isOpen && <RuleFields rule={rule} path={path} onChange={onChange} />}
    </li>
  );
}

type FieldsProps = { rule: DraftRule; path: string; onChange: (rule: DraftRule) => void };

function RuleFields({ rule, path, onChange }: FieldsProps) {
  const { isReadOnly } = useEditor();
  return (
    <fieldset
      disabled={isReadOnly}
      className="min-w-0 grid grid-cols-1 gap-4 border-t border-line bg-raised/40 px-4 py-4"
    >
      <legend className="sr-only">{rule.title}</legend>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_9rem]">
        <DraftField label="Title" path={`${path}.title`}>
          {(props) => (
            <Input
              {...props}
              value={rule.title}
              onChange={({ target }) => onChange({ ...rule, title: target.value })}
            />
          )}
        </DraftField>
        <DraftField label="Severity" path={`${path}.severity`}>
          {(props) => (
            <OptionsSelect
              {...props}
              value={rule.severity}
              options={severities}
              onChange={(severity) => onChange({ ...rule, severity })}
            />
          )}
        </DraftField>
        <DraftField label="Answered by" path={`${path}.kind`}>
          {(props) => (
            <OptionsSelect
              {...props}
              value={rule.kind}
              options={kinds}
              onChange={(kind) => onChange(ofKind(rule, kind))}
            />
          )}
        </DraftField>
      </div>
      <p className="-mt-2 text-xs text-ink-faint">
        {kindHints[rule.kind]} A breach of high severity fails the call’s compliance; any other asks for a review.
      </p>
      <CheckOption
        label="On"
        checked={rule.enabled}
        onChange={({ target }) => onChange({ ...rule, enabled: target.checked })}
      />
      {rule.kind === 'phrase' && (
        <PhraseFields
          value={rule}
          path={path}
          onChange={({ elsewherePhrases: _none, ...part }) => onChange({ ...rule, ...part })}
        />
      )}
      {rule.kind === 'metric' && (
        <LimitFields value={rule.limits} path={`${path}.limits`} onChange={(limits) => onChange({ ...rule, limits })} />
      )}
      {rule.kind === 'model' && (
        <QuestionFields
          value={rule}
          detectors={ruleDetectors}
          path={path}
          onChange={(part) => onChange({ ...rule, ...part })}
        />
      )}
      <ConditionField
        value={rule.appliesWhen}
        path={`${path}.appliesWhen`}
        ownKey={rule.key}
        onChange={(appliesWhen) => onChange({ ...rule, appliesWhen })}
      />
      <DraftField label="Key" path={`${path}.key`} className="max-w-72">
        {(props) => (
          <Input
            {...props}
            value={rule.key}
            className="font-mono !text-xs"
            onChange={({ target }) => onChange({ ...rule, key: target.value })}
          />
        )}
      </DraftField>
    </fieldset>
  );
}

function ofKind(rule: DraftRule, kind: ComplianceRule['kind']): DraftRule {
  const { uid, key, title, severity, enabled, appliesWhen } = rule;
  const base = { uid, key, title, severity, enabled, appliesWhen };
  if (kind === 'metric') return { ...base, kind, limits: [{ metric: 'longestSilenceSeconds', pass: { max: 60 } }] };
  if (kind === 'model') return { ...base, kind, question: '', detector: null };
  return { ...base, kind, role: 'agent', where: { part: 'whole' }, phrases: [], expect: 'absent' };
}
