import { useId } from 'react';
import type { Role } from '../../model/role.ts';
import { roleWords } from './roles.ts';

type Props = { value: Role; options: Role[]; onChange: (role: Role) => void; hint?: string | undefined };

/** The roles, each with its purpose. */
export function RoleField({ value, options, onChange, hint }: Props) {
  const name = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Role</legend>
      <div className="grid overflow-hidden rounded-lg border border-line">
        {options.map((role) => (
          <label
            key={role}
            className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 border-b border-line px-3 py-2 text-sm font-medium last:border-0 hover:bg-raised has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={name}
              value={role}
              checked={role === value}
              onChange={() => onChange(role)}
              className="mt-0.75 size-4 accent-accent"
            />
            {roleWords[role].label}
            <span className="col-start-2 text-xs font-normal text-ink-soft">{roleWords[role].description}</span>
          </label>
        ))}
      </div>
      {hint && <p className="text-xs text-ink-faint">{hint}</p>}
    </fieldset>
  );
}
