import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { SubmitReviewInput } from '../../../domain/reviews/schemas.ts';
import { useEdition } from '../../lib/edition.ts';
import { statusOf, useTRPC } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Analysis } from '../use-call-data.ts';
import { Adjustments, type Adjusted } from './adjustments.tsx';
import { verdicts, type Review, type Verdict } from './labels.ts';
import { useReviewChange } from './use-review-change.ts';
import { VerdictChoice } from './verdict-choice.tsx';

/** The entered text stays if it cannot be submitted. */
type Props = { analysis: Analysis; review: Review | null; counts: boolean; onClose: () => void };
type Errors = { comment?: string; categories?: string };

export function ReviewForm({ analysis, review, counts, onClose }: Props) {
  const [verdict, setVerdict] = useState<Verdict>(review?.verdict ?? 'approved');
  const [adjusted, setAdjusted] = useState<Adjusted>(() => beginWith(analysis));
  const [comment, setComment] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const submit = useSubmit({ verdict, review, onClose });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const input = SubmitReviewInput.safeParse({
      id: analysis.id,
      verdict,
      comment: comment || null,
      ...(verdict === 'adjusted' && adjustmentOf(adjusted, analysis.automatic)),
    });
    if (!input.success) {
      setErrors(Object.fromEntries(input.error.issues.map(({ path, message }) => [path[0], message])));
    } else if (verdict === 'adjusted' && !changesAnything(input.data, analysis.automatic)) {
      setErrors({ categories: 'These are the automatic scores. Change what is wrong, or approve them.' });
    } else {
      setErrors({});
      submit.mutate(input.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-4 rounded-xl border border-line bg-surface p-3">
      <VerdictChoice value={verdict} onChange={setVerdict} />
      {verdict === 'adjusted' && (
        <Adjustments analysis={analysis} value={adjusted} onChange={setAdjusted} error={errors.categories} />
      )}
      <Field label="Comment" isOptional={verdict === 'approved'} error={errors.comment}>
        {(control) => (
          <Textarea
            {...control}
            maxLength={5000}
            placeholder={verdict === 'approved' ? '' : 'What the agent should know of this'}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submit.isPending} disabled={!counts}>
          Submit review
        </Button>
      </div>
    </form>
  );
}

type Submission = Pick<Props, 'review' | 'onClose'> & { verdict: Verdict };

function useSubmit({ verdict, review, onClose }: Submission) {
  const trpc = useTRPC();
  const changed = useReviewChange();
  return useMutation(
    trpc.reviews.submit.mutationOptions({
      ...useEdition(review),
      async onSuccess() {
        await changed();
        toast.done(`Review submitted: ${verdicts[verdict].label.toLowerCase()}`);
        onClose();
      },
      onError(error) {
        toast.failed('The review was not submitted', error);
        // The reason, and what to do, are then shown on the screen.
        return [409, 412].includes(statusOf(error) ?? 0) ? changed() : undefined;
      },
    }),
  );
}

function beginWith({ categories, complianceStatus }: Analysis): Adjusted {
  const scores = Object.entries(categories).map(([key, score]) => [key, score === null ? '' : String(score)]);
  return { categories: Object.fromEntries(scores), complianceStatus };
}

function changesAnything(
  { categories = {}, complianceStatus }: SubmitReviewInput,
  automatic: Analysis['automatic'],
): boolean {
  const isOther = Object.entries(categories).some(([key, score]) => score !== automatic.categories[key]);
  return isOther || (complianceStatus !== undefined && complianceStatus !== automatic.complianceStatus);
}

/** An empty field means that the category does not apply. Unchanged categories are not sent: parts of them may be open. */
function adjustmentOf(
  { categories, complianceStatus }: Adjusted,
  automatic: Analysis['automatic'],
): Partial<SubmitReviewInput> {
  const scores = Object.entries(categories)
    .map(([key, text]) => [key, text.trim() === '' ? null : Number(text)] as const)
    .filter(([key, score]) => score !== automatic.categories[key]);
  return { categories: Object.fromEntries(scores), ...(complianceStatus && { complianceStatus }) };
}
