import { Field, Select } from '../ui/field.tsx';

type Profile = { id: string; name: string; version: number };
type Props = {
  /** Undefined until loaded. */
  profiles: Profile[] | undefined;
  /** The current one, shown while the others are loading. */
  present?: Pick<Profile, 'id' | 'name'> | undefined;
  value: string;
  onChange: (id: string) => void;
};

/** The profile for a re-analysis. */
export function ProfileField({ profiles, present, value, onChange }: Props) {
  return (
    <Field label="Profile" hint="The rubric to score by, in its current version.">
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {!profiles && <option value={present?.id ?? ''}>{present?.name ?? 'Loading…'}</option>}
          {profiles?.map(({ id, name, version }) => (
            <option key={id} value={id}>
              {name} (version {version})
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
