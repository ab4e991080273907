import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { daysFromNow, formatDate } from '../lib/format.ts';
import { messageOf, useTRPC, type Outputs } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { curlExample } from './curl-example.ts';

const formId = 'create-key';
const lifetimes = [
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'One year' },
  { days: 0, label: 'Never' },
];

/** First the form, then the key, which is shown only once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const first = useRef<HTMLInputElement>(null);
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState(90);
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.tokens.pathKey() }),
    }),
  );
  const expiresAt = days === 0 ? null : daysFromNow(days);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ name, expiresAt });
  };
  if (create.data) return <CreatedKey created={create.data} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      initialFocus={first}
      title="Create an API key"
      description="It can do what you can do, but only in this organization."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={create.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-4 pb-2">
        <Field
          label="Name"
          hint="What uses it, so that you know later which one to revoke."
          error={create.error ? messageOf(create.error) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              ref={first}
              required
              maxLength={120}
              placeholder="Nightly import"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Expires"
          hint={expiresAt ? `On ${formatDate(expiresAt)}.` : 'Valid until it is revoked. Prefer a date if you can.'}
        >
          {(control) => (
            <Select {...control} value={days} onChange={(event) => setDays(Number(event.target.value))}>
              {lifetimes.map((each) => (
                <option key={each.days} value={each.days}>
                  {each.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function CreatedKey({ created, onClose }: { created: Outputs['tokens']['create']; onClose: () => void }) {
  const { org } = useMe();
  const example = curlExample({ token: created.token, orgId: org.id });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Copy your key now"
      description="It is shown only this once. We store only a hash."
      footer={
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <div className="grid gap-4 pb-2">
        <CopyBlock label={`Key of ${created.name}`} value={created.token} />
        <CopyBlock label="Try it: your five newest calls" value={example} />
      </div>
    </Dialog>
  );
}
