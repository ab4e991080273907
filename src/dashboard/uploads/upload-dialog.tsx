import { useQuery } from '@tanstack/react-query';
import { FileAudio, Plus, X } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { formatBytes } from '../lib/format.ts';
import { randomId } from '../lib/random-id.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button, buttonClass, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { UploadFacts } from './facts.ts';
import { accepted, fileSizeBytesMax } from './file-types.ts';

type Props = {
  files: File[];
  onFiles: (files: File[]) => void;
  onClose: () => void;
  onStart: (facts: UploadFacts) => void;
};
type Errors = Partial<Record<keyof UploadFacts, string>>;

/** What the service needs to know about the files. */
export function UploadDialog({ files, onFiles, onClose, onStart }: Props) {
  const formId = useId();
  const { org } = useMe();
  const [errors, setErrors] = useState<Errors>({});
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.currentTarget)].filter(([, value]) => value !== ''));
    const parsed = UploadFacts.safeParse({ projectId: '', ...given });
    if (!parsed.success) return setErrors(errorsOf(parsed.error.issues));
    localStorage.setItem(projectKey(org.id), parsed.data.projectId);
    onStart(parsed.data);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Upload calls"
      description="Each file becomes a call: it is transcribed, scored and checked."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" disabled={files.length === 0}>
            {files.length < 2 ? 'Upload' : `Upload ${files.length} files`}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid grid-cols-1 gap-4" noValidate>
        <FileList files={files} onFiles={onFiles} />
        <FactFields errors={errors} />
      </form>
    </Dialog>
  );
}

function FactFields({ errors }: { errors: Errors }) {
  const trpc = useTRPC();
  const { org } = useMe();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  const all = projects.data?.data ?? [];
  const last = localStorage.getItem(projectKey(org.id));
  const first = all.find(({ id }) => id === last) ?? all[0];
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <Field label="Project" error={errors.projectId} className="sm:col-span-2">
        {(props) => (
          <Select {...props} name="projectId" key={first?.id} defaultValue={first?.id ?? ''} disabled={!first}>
            {!first && <option value="">{projects.isPending ? 'Loading…' : 'There is no project yet'}</option>}
            {all.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Agent" isOptional error={errors.agentName}>
        {(props) => <Input {...props} name="agentName" placeholder="Who handled the call" autoComplete="off" />}
      </Field>
      <Field label="Customer's phone" isOptional error={errors.customerPhone}>
        {(props) => <Input {...props} name="customerPhone" type="tel" placeholder="+44…" autoComplete="off" />}
      </Field>
      <Field
        label="Language"
        isOptional
        error={errors.language}
        hint="By default, the language of the project, or the one that is heard."
        className="sm:col-span-2"
      >
        {(props) => (
          <Input {...props} name="language" placeholder="en or pt-BR" autoComplete="off" className="sm:!w-1/2" />
        )}
      </Field>
    </div>
  );
}

function FileList({ files, onFiles }: Pick<Props, 'files' | 'onFiles'>) {
  const sizeBytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <div className="rounded-xl border border-line">
      {files.length === 0 ? (
        <p className="px-4 py-5 text-center text-sm text-ink-soft">
          Choose recordings, or drop them anywhere on the page.
        </p>
      ) : (
        <ul className="max-h-52 divide-y divide-line overflow-y-auto" aria-label="Files to upload">
          {files.map((file) => (
            <li key={keyOf(file)} className="flex items-center gap-2.5 py-1 pr-1.5 pl-3">
              <FileAudio className="size-4 shrink-0 text-ink-faint" aria-hidden />
              <span className="min-w-0 flex-1 truncate text-sm">{file.name}</span>
              <span className={`text-xs tabular-nums ${file.size > fileSizeBytesMax ? 'text-bad' : 'text-ink-faint'}`}>
                {formatBytes(file.size)}
                {file.size > fileSizeBytesMax && ', too large'}
              </span>
              <IconButton
                size="sm"
                label={`Leave out ${file.name}`}
                icon={<X className="size-4" aria-hidden />}
                onClick={() => onFiles(files.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-center justify-between gap-3 border-t border-line px-3 py-2">
        <label
          className={`${buttonClass({ size: 'sm' })} cursor-pointer focus-within:outline-2 focus-within:outline-accent`}
        >
          <Plus className="size-3.5" aria-hidden />
          {files.length === 0 ? 'Choose files' : 'Add files'}
          <input
            type="file"
            multiple
            accept={accepted}
            className="sr-only"
            onChange={({ target }) => {
              onFiles([...files, ...(target.files ?? [])]);
              target.value = '';
            }}
          />
        </label>
        <span className="text-xs text-ink-faint tabular-nums">
          {files.length > 0 ? `${files.length} · ${formatBytes(sizeBytes)}` : 'Up to 500 MB each'}
        </span>
      </div>
    </div>
  );
}

const keys = new WeakMap<File, string>();

function keyOf(file: File): string {
  const key = keys.get(file) ?? randomId();
  keys.set(file, key);
  return key;
}

function errorsOf(issues: { path: PropertyKey[]; message: string }[]): Errors {
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
}

function projectKey(orgId: string): string {
  return `earshot.upload-project.${orgId}`;
}
