import { useState } from 'react';
import { Rubric } from '../../../model/rubric.ts';
import { Field, Textarea } from '../../ui/field.tsx';
import { draftRubric, toRubric } from './draft.ts';
import { useEditor } from './editor-context.tsx';

type Props = { onValidity: (isValid: boolean) => void };

/** The rubric in the API's format. Valid changes are applied at once; invalid ones leave the draft unchanged. */
export function JsonView({ onValidity }: Props) {
  const { draft, change, isReadOnly } = useEditor();
  const [text, setText] = useState(() => JSON.stringify(toRubric(draft), null, 2));
  const [faults, setFaults] = useState<string[]>([]);
  const type = (next: string): void => {
    setText(next);
    const { rubric, problems } = read(next);
    setFaults(problems);
    onValidity(rubric !== null);
    if (rubric) change((now) => ({ ...now, ...draftRubric(rubric) }));
  };
  return (
    <Field
      label="Rubric as JSON"
      hint="As GET /profiles/{id} gives it and PATCH takes it: languages, judgedShareMin, categories, compliance."
      error={faults.length > 0 ? faults.join('\n') : undefined}
    >
      {(props) => (
        <Textarea
          {...props}
          value={text}
          readOnly={isReadOnly}
          spellCheck={false}
          className="h-[calc(100dvh-13rem)] !min-h-96 font-mono !text-xs"
          onChange={({ target }) => type(target.value)}
        />
      )}
    </Field>
  );
}

const problemsMax = 5;

function read(text: string): { rubric: Rubric | null; problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { rubric: null, problems: [error instanceof Error ? error.message : 'This is no JSON.'] };
  }
  const { data = null, error } = Rubric.safeParse(value);
  const problems = (error?.issues ?? [])
    .slice(0, problemsMax)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return { rubric: data, problems };
}
