import type { Check, Exemption } from '../../../model/checks.ts';
import { CheckOption } from '../../ui/check-option.tsx';
import { checkDetectors, exemptions, kindHints, kinds } from '../words.ts';
import { CategoryField } from './category-field.tsx';
import { ConditionField } from './condition-field.tsx';
import type { DraftCheck } from './draft.ts';
import { useEditor } from './editor-context.tsx';
import { LimitFields } from './limit-fields.tsx';
import { PhraseFields } from './phrase-fields.tsx';
import { QuestionFields } from './question-fields.tsx';
import { KeyField, NumberField, OptionsField, TextField } from './typed-fields.tsx';

type Props = { check: DraftCheck; path: string; onChange: (check: DraftCheck) => void };

/** All fields of a check, by kind. */
export function CheckFields({ check, path, onChange }: Props) {
  const { isReadOnly } = useEditor();
  return (
    <fieldset
      disabled={isReadOnly}
      className="min-w-0 grid grid-cols-1 gap-4 border-t border-line bg-raised/40 px-4 py-4"
    >
      <legend className="sr-only">{check.title}</legend>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_6rem_9rem]">
        <TextField
          label="Title"
          path={`${path}.title`}
          value={check.title}
          onChange={(title) => onChange({ ...check, title })}
        />
        <NumberField
          label="Weight"
          path={`${path}.weight`}
          min={0}
          value={check.weight}
          onChange={(weight = Number.NaN) => onChange({ ...check, weight })}
        />
        <OptionsField
          label="Answered by"
          path={`${path}.kind`}
          value={check.kind}
          options={kinds}
          onChange={(kind) => onChange(ofKind(check, kind))}
        />
      </div>
      <p className="-mt-2 text-xs text-ink-faint">{kindHints[check.kind]}</p>
      {check.kind === 'phrase' && <PhraseCheckFields check={check} path={path} onChange={onChange} />}
      {check.kind === 'metric' && <MetricCheckFields check={check} path={path} onChange={onChange} />}
      {check.kind === 'model' && (
        <QuestionFields
          value={check}
          detectors={checkDetectors}
          path={path}
          onChange={(part) => onChange({ ...check, ...part })}
        />
      )}
      <CommonFields check={check} path={path} onChange={onChange} />
    </fieldset>
  );
}

type Of<Kind extends Check['kind']> = Extract<DraftCheck, { kind: Kind }>;
type PartProps<Kind extends Check['kind']> = { check: Of<Kind>; path: string; onChange: (check: DraftCheck) => void };

const elsewhere = { fail: 'Fail', partial: 'Partial' } as const;

function PhraseCheckFields({ check, path, onChange }: PartProps<'phrase'>) {
  return (
    <>
      <PhraseFields value={check} path={path} onChange={(part) => onChange({ ...check, ...part })} />
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          label="How often"
          path={`${path}.times`}
          isOptional
          hint="Less often is partial. Empty: once."
          min={1}
          max={20}
          step={1}
          value={check.times}
          onChange={(times) => onChange({ ...check, times })}
        />
        <OptionsField
          label="Only said elsewhere in the call"
          path={`${path}.elsewhere`}
          value={check.elsewhere}
          options={elsewhere}
          onChange={(answer) => onChange({ ...check, elsewhere: answer })}
        />
      </div>
    </>
  );
}

function MetricCheckFields({ check, path, onChange }: PartProps<'metric'>) {
  return (
    <>
      <LimitFields value={check.limits} path={`${path}.limits`} onChange={(limits) => onChange({ ...check, limits })} />
      <NumberField
        label="Needs agent talk of (seconds)"
        path={`${path}.agentTalkSecondsMin`}
        isOptional
        hint="With less, the check does not apply."
        className="max-w-64"
        min={0}
        value={check.agentTalkSecondsMin}
        onChange={(agentTalkSecondsMin) => onChange({ ...check, agentTalkSecondsMin })}
      />
    </>
  );
}

function CommonFields({ check, path, onChange }: Props) {
  const toggle = (exemption: Exemption, isOn: boolean): void =>
    onChange({
      ...check,
      exemptions: isOn ? [...check.exemptions, exemption] : check.exemptions.filter((other) => other !== exemption),
    });
  return (
    <>
      <CheckOption
        label="Critical"
        hint="A fail caps the quality score of the call at 49."
        checked={check.critical}
        onChange={({ target }) => onChange({ ...check, critical: target.checked })}
      />
      <fieldset>
        <legend className="mb-1.5 text-xs font-medium text-ink-soft">Does not apply when</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {(Object.keys(exemptions) as Exemption[]).map((exemption) => (
            <CheckOption
              key={exemption}
              label={exemptions[exemption]}
              checked={check.exemptions.includes(exemption)}
              onChange={({ target }) => toggle(exemption, target.checked)}
            />
          ))}
        </div>
      </fieldset>
      <ConditionField
        value={check.appliesWhen}
        path={`${path}.appliesWhen`}
        ownKey={check.key}
        onChange={(appliesWhen) => onChange({ ...check, appliesWhen })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <CategoryField check={check} />
        <KeyField
          path={`${path}.key`}
          hint="Reports tell checks apart by it. A new key begins a new history."
          value={check.key}
          onChange={(key) => onChange({ ...check, key })}
        />
      </div>
    </>
  );
}

/** Fields that all kinds share are kept. */
function ofKind(check: DraftCheck, kind: Check['kind']): DraftCheck {
  const { uid, key, title, weight, critical, exemptions: kept, appliesWhen } = check;
  const base = { uid, key, title, weight, critical, exemptions: kept, appliesWhen };
  if (kind === 'metric') return { ...base, kind, limits: [{ metric: 'longestSilenceSeconds', pass: { max: 15 } }] };
  if (kind === 'model') return { ...base, kind, question: '', detector: null };
  return { ...base, kind, role: 'agent', where: { part: 'whole' }, phrases: [], expect: 'present', elsewhere: 'fail' };
}
