import { useNavigate, useSearch } from '@tanstack/react-router';
import { Braces, List } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { useVersions } from './use-versions.ts';

export function EditorActions({ isDirty }: { isDirty: boolean }) {
  const { view } = useSearch({ from: '/app/profiles/$id' });
  const navigate = useNavigate({ from: '/profiles/$id' });
  const isJson = view === 'json';
  return (
    <>
      <VersionSelect isDirty={isDirty} />
      <Button
        aria-pressed={isJson}
        icon={isJson ? <List className="size-4" aria-hidden /> : <Braces className="size-4" aria-hidden />}
        onClick={() =>
          void navigate({ search: (now) => ({ ...now, view: isJson ? undefined : 'json' }), replace: true })
        }
      >
        {isJson ? 'Form' : 'JSON'}
      </Button>
    </>
  );
}

/** Every saved rubric is kept; earlier ones can be viewed and restored. */
function VersionSelect({ isDirty }: { isDirty: boolean }) {
  const { latest, shown } = useVersions();
  const navigate = useNavigate({ from: '/profiles/$id' });
  if (latest < 2) return null;
  return (
    <Select
      aria-label="Version"
      className="!w-36"
      value={shown}
      disabled={isDirty}
      title={isDirty ? 'Save or discard your changes first' : undefined}
      onChange={({ target }) => {
        const version = Number(target.value);
        void navigate({ search: (now) => ({ ...now, version: version === latest ? undefined : version }) });
      }}
    >
      {Array.from({ length: latest }, (_, index) => latest - index).map((version) => (
        <option key={version} value={version}>
          Version {version}
          {version === latest ? ' (now)' : ''}
        </option>
      ))}
    </Select>
  );
}
