import { DraftField } from './draft-field.tsx';
import { Textarea } from '../../ui/field.tsx';
import { OptionsField } from './typed-fields.tsx';

type ModelRule<Detector extends string> = {
  question: string;
  expect?: 'present' | 'absent' | undefined;
  detector: Detector | null;
};
type Props<Detector extends string> = {
  value: ModelRule<Detector>;
  detectors: Record<Detector, string>;
  path: string;
  onChange: (part: Partial<ModelRule<Detector>>) => void;
};

const proofs = {
  auto: 'As the detector does, else a pass',
  present: 'A pass, by what was said',
  absent: 'A fail, by what was said',
} as const;

const none = 'A person has to look';

/** The question for a language model, and the answer without one. */
export function QuestionFields<Detector extends string>({ value, detectors, path, onChange }: Props<Detector>) {
  const options: Partial<Record<Detector | 'none', string>> = { none, ...detectors };
  return (
    <>
      <DraftField
        label="Question"
        path={`${path}.question`}
        hint="Yes is a pass. Say when it is partial or does not apply."
      >
        {(props) => (
          <Textarea
            {...props}
            value={value.question}
            placeholder="Does the agent explain what happens next?"
            onChange={({ target }) => onChange({ question: target.value })}
          />
        )}
      </DraftField>
      <div className="grid gap-3 sm:grid-cols-2">
        <OptionsField<Detector | 'none'>
          label="Without a language model"
          path={`${path}.detector`}
          value={value.detector ?? 'none'}
          options={options}
          onChange={(detector) => onChange({ detector: detector === 'none' ? null : detector })}
        />
        <OptionsField
          label="What has to be proved"
          path={`${path}.expect`}
          value={value.expect ?? 'auto'}
          options={proofs}
          onChange={(expect) => onChange({ expect: expect === 'auto' ? undefined : expect })}
        />
      </div>
    </>
  );
}
