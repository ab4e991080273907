import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useEdition } from '../lib/edition.ts';
import { messageOf, statusOf, useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { FormError } from '../ui/form-error.tsx';
import { toast } from '../ui/toast.tsx';
import type { Webhook } from './events.ts';
import { EventsField } from './events-field.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const formId = 'webhook';

/** Creates an endpoint, then shows its secret, or edits one. */
export function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<Webhook['events']>(webhook?.events ?? ['record.completed']);
  const { save, error, isBusy, secret } = useSave(webhook, onClose);
  if (secret !== undefined) return <SecretDialog secret={secret} isNew onClose={onClose} />;
  const isEmpty = events.length === 0;
  const isAboutUrl = statusOf(error) === 400;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) save({ url, events, description: description.trim() || null });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      initialFocus={first}
      title={webhook ? 'Edit endpoint' : 'Add an endpoint'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isBusy}>
            {webhook ? 'Save' : 'Add endpoint'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-4 pb-2">
        <Field
          label="Address"
          hint="A public https address that answers 2xx within 15 seconds."
          error={isAboutUrl ? messageOf(error) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              ref={first}
              type="url"
              required
              maxLength={2048}
              placeholder="https://hooks.example.com/earshot"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label="Description" isOptional>
          {(control) => (
            <Input
              {...control}
              maxLength={500}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <EventsField value={events} onChange={setEvents} error={isEmpty ? 'Choose at least one event.' : undefined} />
        {!isAboutUrl && <FormError error={error} />}
      </form>
    </Dialog>
  );
}

type Values = Pick<Webhook, 'url' | 'events' | 'description'>;

function useSave(webhook: Webhook | undefined, onClose: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.webhooks.pathKey() });
  const create = useMutation(trpc.webhooks.create.mutationOptions({ onSuccess: refresh }));
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      ...useEdition(webhook),
      onSuccess() {
        toast.done('The endpoint is changed');
        onClose();
        return refresh();
      },
    }),
  );
  return {
    save: (values: Values) => (webhook ? update.mutate({ id: webhook.id, ...values }) : create.mutate(values)),
    error: webhook ? update.error : create.error,
    isBusy: create.isPending || update.isPending,
    secret: create.data?.secret,
  };
}
