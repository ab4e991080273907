import type { ComplianceRule } from '../../../model/checks.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { CheckOption } from '../../ui/check-option.tsx';
import { kindHints, kinds, ruleDetectors, severities } from '../words.ts';
import { ConditionField } from './condition-field.tsx';
import type { DraftRule } from './draft.ts';
import { useEditor } from './editor-context.tsx';
import { ExpandableRow } from './expandable-row.tsx';
import { LimitFields } from './limit-fields.tsx';
import { PhraseFields } from './phrase-fields.tsx';
import { QuestionFields } from './question-fields.tsx';
import { KeyField, OptionsField, TextField } from './typed-fields.tsx';

type Props = {
  rule: DraftRule;
  index: number;
  onChange: (rule: DraftRule) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

const tones: Record<ComplianceRule['severity'], Tone> = { low: 'neutral', medium: 'warn', high: 'bad' };

export function RuleRow({ rule, index, onChange, onMove, onRemove }: Props) {
  const { draft, preview } = useEditor();
  const path = `compliance.${index}`;
  return (
    <ExpandableRow
      uid={rule.uid}
      title={rule.title || 'Untitled rule'}
      count={draft.compliance.length}
      answer={preview?.complianceFindings.find(({ key }) => key === rule.key)?.answer}
      badges={
        rule.enabled ? <Badge tone={tones[rule.severity]}>{severities[rule.severity]}</Badge> : <Badge>Off</Badge>
      }
      className="first:border-t-0"
      {...{ path, index, onMove, onRemove }}
    >
      <RuleFields rule={rule} path={path} onChange={onChange} />
    </ExpandableRow>
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
        <TextField
          label="Title"
          path={`${path}.title`}
          value={rule.title}
          onChange={(title) => onChange({ ...rule, title })}
        />
        <OptionsField
          label="Severity"
          path={`${path}.severity`}
          value={rule.severity}
          options={severities}
          onChange={(severity) => onChange({ ...rule, severity })}
        />
        <OptionsField
          label="Answered by"
          path={`${path}.kind`}
          value={rule.kind}
          options={kinds}
          onChange={(kind) => onChange(ofKind(rule, kind))}
        />
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
      <KeyField
        path={`${path}.key`}
        className="max-w-72"
        value={rule.key}
        onChange={(key) => onChange({ ...rule, key })}
      />
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
