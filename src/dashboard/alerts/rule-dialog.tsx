import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { CreateAlertInput } from '../../domain/alerts/schemas.ts';
import { useEdition } from '../lib/edition.ts';
import { faultsOf } from '../lib/faults.ts';
import { useTRPC } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { toast } from '../ui/toast.tsx';
import type { Rule } from './condition-words.ts';
import { RuleFields } from './rule-fields.tsx';
import type { RuleForm } from './rule-form.ts';
import '../lib/readable-messages.ts';

const fieldNames = ['name', 'projectId', 'condition.field', 'condition.operator', 'condition.value'] as const;

/** Creates or edits a rule. */
export function RuleDialog({ rule, onClose }: { rule: Rule | null; onClose: () => void }) {
  const form = useForm<RuleForm, unknown, CreateAlertInput>({
    resolver: zodResolver(CreateAlertInput),
    defaultValues: valuesOf(rule),
  });
  const save = useSaveRule(rule, onClose);
  const [failure, setFailure] = useState<unknown>(null);
  const submit = form.handleSubmit((values) =>
    save.mutateAsync(values).catch((error: unknown) => {
      const faults = faultsOf(error).flatMap(({ path, message }) => {
        const field = fieldNames.find((name) => name === path);
        return field ? [{ field, message }] : [];
      });
      for (const { field, message } of faults) form.setError(field, { message }, { shouldFocus: true });
      setFailure(faults.length === 0 ? error : null);
    }),
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={rule ? 'Edit alert' : 'New alert'}
      description="Checked for every new analysis."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="alert" isBusy={save.isPending}>
            {rule ? 'Save' : 'Create alert'}
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form id="alert" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 pb-1">
          <RuleFields />
          <FormError error={failure} />
        </form>
      </FormProvider>
    </Dialog>
  );
}

function useSaveRule(rule: Rule | null, onClose: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = {
    async onSuccess({ name }: { name: string }) {
      await queryClient.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
      toast.done(rule ? `“${name}” saved` : `“${name}” is active`);
      onClose();
    },
  };
  const create = useMutation(trpc.alerts.create.mutationOptions(options));
  const update = useMutation(trpc.alerts.update.mutationOptions({ ...options, ...useEdition(rule) }));
  return {
    isPending: create.isPending || update.isPending,
    mutateAsync: (values: CreateAlertInput) =>
      rule ? update.mutateAsync({ id: rule.id, ...values }) : create.mutateAsync(values),
  };
}

function valuesOf(rule: Rule | null): RuleForm {
  return {
    name: rule?.name ?? '',
    projectId: rule?.projectId ?? null,
    condition: rule?.condition ?? { field: 'qualityScore', operator: 'lt', value: 50 },
    actions: rule?.actions ?? ['email'],
    recipients: rule?.recipients ?? [],
    enabled: rule?.enabled ?? true,
    severity: rule?.severity ?? 'warning',
    cooldownSeconds: rule?.cooldownSeconds ?? 0,
  };
}
