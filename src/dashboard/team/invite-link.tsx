import { useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { FormError } from '../ui/form-error.tsx';

/** The link by which somebody invited chooses a password. Where no mail is sent, it is the only way in, and there at once. */
export function InviteLink({ id }: { id: string }) {
  const trpc = useTRPC();
  const { settings } = useRouteContext({ from: '__root__' });
  const isBegun = useRef(false);
  const link = useMutation(trpc.users.createInviteLink.mutationOptions());
  useEffect(() => {
    // Each new link replaces the last, and strict mode runs effects twice.
    if (settings.hasMail || isBegun.current) return;
    isBegun.current = true;
    link.mutate({ id });
  });
  if (link.data) {
    return (
      <CopyBlock
        label="Pass this link on yourself: it works once. Under Team you find a new one"
        value={`${location.origin}${link.data.path}`}
      />
    );
  }
  return (
    <>
      <FormError error={link.error} />
      <Button className="justify-self-start" isBusy={link.isPending} onClick={() => link.mutate({ id })}>
        Show a link to pass on
      </Button>
    </>
  );
}
