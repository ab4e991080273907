import { useFormContext } from 'react-hook-form';
import { languageOptions } from '../lib/languages.ts';
import { Field, Select } from '../ui/field.tsx';
import type { Project, ProjectForm } from './project.ts';

export function LanguageField({ project }: { project: Project | null }) {
  const { register, formState } = useFormContext<ProjectForm>();
  return (
    <Field
      label="Language"
      error={formState.errors.language?.message}
      hint="If all calls are in one language, naming it improves transcripts."
    >
      {(control) => (
        <Select {...control} {...register('language', { setValueAs: (text: unknown) => (text === '' ? null : text) })}>
          <option value="">Detected in each call</option>
          {languageOptions(project?.language).map(({ tag, name }) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
