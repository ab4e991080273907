import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ProfileField } from '../../calls/profile-field.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckOption } from '../../ui/check-option.tsx';
import { Field, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCall } from '../call-context.tsx';
import { ReplaceReview, useIsReviewed } from './replace-review.tsx';

/** Scores the call again. The version bar follows the result, wherever the user goes meanwhile. */
export function ReanalyzeDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { analysis, record } = useCall();
  const profiles = useQuery(trpc.profiles.list.queryOptions({ pageSize: 100 }));
  const [profileId, setProfileId] = useState(analysis?.profile.id ?? '');
  const [isRetranscribed, setRetranscribed] = useState(false);
  const isReviewed = useIsReviewed();
  const [isReplaced, setReplaced] = useState(false);
  const [reason, setReason] = useState('');
  const reanalyze = useMutation(
    trpc.analyses.reanalyze.mutationOptions({
      onSuccess() {
        toast.done('Re-analysis started', 'The new version is shown as soon as it is completed.');
        onClose();
        return queryClient.invalidateQueries({ queryKey: trpc.analyses.list.pathKey() });
      },
      onError(error) {
        toast.failed('The call was not re-analyzed', error);
        // Somebody may have reviewed it meanwhile: then the dialog asks.
        return queryClient.invalidateQueries({ queryKey: trpc.analyses.list.pathKey() });
      },
    }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!analysis) return;
    const input = { id: analysis.id, profileId, retranscribe: isRetranscribed, reason: reason || null };
    reanalyze.mutate({ ...input, replaceReview: isReviewed && isReplaced });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Re-analyze the call"
      description="With another profile, or the current version of the same one. The present scores stay until the new ones are ready."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form="reanalyze"
            isBusy={reanalyze.isPending}
            disabled={profileId === '' || (isReviewed && !isReplaced)}
          >
            Re-analyze
          </Button>
        </>
      }
    >
      <form id="reanalyze" onSubmit={submit} className="grid gap-4">
        <ProfileField
          profiles={profiles.data?.data}
          present={analysis?.profile}
          value={profileId}
          onChange={setProfileId}
        />
        {record.file && (
          <CheckOption
            label="Transcribe the recording again"
            hint="Takes longer, and counts as processing of the call."
            checked={isRetranscribed}
            onChange={({ target }) => setRetranscribed(target.checked)}
          />
        )}
        {isReviewed && <ReplaceReview isReplaced={isReplaced} onChange={setReplaced} />}
        <Field label="Reason" isOptional hint="For those who read it later.">
          {(control) => (
            <Textarea {...control} maxLength={1000} value={reason} onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
