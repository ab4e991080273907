import type { Condition } from '../../../model/checks.ts';
import { CheckOption } from '../../ui/check-option.tsx';
import { Select } from '../../ui/field.tsx';
import { conditionKinds, metrics } from '../words.ts';
import { DraftField } from './draft-field.tsx';
import { useEditor } from './editor-context.tsx';
import { BoundFields } from './limit-fields.tsx';
import { PhraseFields } from './phrase-fields.tsx';
import { OptionsField } from './typed-fields.tsx';

type Props = {
  value: Condition | undefined;
  path: string;
  ownKey: string;
  onChange: (condition: Condition | undefined) => void;
};

const options = { always: 'to every call', ...conditionKinds } as const;

/** A condition for a check to apply. */
export function ConditionField({ value, path, ownKey, onChange }: Props) {
  const { draft } = useEditor();
  const others = draft.categories.flatMap(({ checks }) =>
    checks.filter(({ key, appliesWhen }) => key !== ownKey && appliesWhen?.kind !== 'answer'),
  );
  const empty = (kind: Condition['kind']): Condition => {
    if (kind === 'phrase') return { kind, expect: 'present', role: 'customer', where: { part: 'whole' }, phrases: [] };
    if (kind === 'metric') return { kind, metric: 'durationSeconds', limits: { min: 60 } };
    return { kind, check: others[0]?.key ?? '', answers: ['pass'] };
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <OptionsField
        label="It applies"
        path={path}
        hint={value && 'Other calls are left out of the weights.'}
        className="max-w-72"
        value={value?.kind ?? 'always'}
        options={options}
        onChange={(kind) => onChange(kind === 'always' ? undefined : empty(kind))}
      />
      {value && (
        <div className="grid grid-cols-1 gap-3 border-l-2 border-line pl-3">
          {value.kind === 'phrase' && (
            <PhraseFields value={value} path={path} onChange={(part) => onChange({ ...value, ...part })} />
          )}
          {value.kind === 'metric' && <MetricCondition value={value} path={path} onChange={onChange} />}
          {value.kind === 'answer' && <AnswerCondition value={value} path={path} checks={others} onChange={onChange} />}
        </div>
      )}
    </div>
  );
}

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>;
type PartProps<Kind extends Condition['kind']> = {
  value: Of<Kind>;
  path: string;
  onChange: (value: Of<Kind>) => void;
};

function MetricCondition({ value, path, onChange }: PartProps<'metric'>) {
  return (
    <>
      <OptionsField
        label="Figure"
        path={`${path}.metric`}
        value={value.metric}
        options={metrics}
        onChange={(metric) => onChange({ ...value, metric })}
      />
      <BoundFields
        legend="is"
        value={value.limits}
        path={`${path}.limits`}
        onChange={(limits) => onChange({ ...value, limits })}
      />
    </>
  );
}

const answers = { pass: 'Pass', partial: 'Partial', fail: 'Fail' } as const;
type Answer = keyof typeof answers;

type AnswerProps = PartProps<'answer'> & { checks: { key: string; title: string }[] };

function AnswerCondition({ value, path, checks, onChange }: AnswerProps) {
  const toggle = (answer: Answer, isOn: boolean): void =>
    onChange({
      ...value,
      answers: isOn ? [...value.answers, answer] : value.answers.filter((each) => each !== answer),
    });
  return (
    <>
      <DraftField label="Check" path={`${path}.check`}>
        {(props) => (
          <Select {...props} value={value.check} onChange={({ target }) => onChange({ ...value, check: target.value })}>
            {!checks.some(({ key }) => key === value.check) && (
              <option value={value.check}>{value.check || '–'}</option>
            )}
            {checks.map(({ key, title }) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </DraftField>
      <DraftField label="has the answer" path={`${path}.answers`}>
        {() => (
          <div className="flex flex-wrap gap-4">
            {(Object.keys(answers) as Answer[]).map((answer) => (
              <CheckOption
                key={answer}
                label={answers[answer]}
                checked={value.answers.includes(answer)}
                onChange={({ target }) => toggle(answer, target.checked)}
              />
            ))}
          </div>
        )}
      </DraftField>
    </>
  );
}
