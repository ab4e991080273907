import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { EllipsisVertical, Info, Mail, OctagonAlert, Settings2, Trash2, TriangleAlert, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatAgo, formatNumber } from '../lib/format.ts';
import { deleteUndoably } from '../lib/leaving.ts';
import { useTRPC, useTRPCClient } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Switch } from '../ui/switch.tsx';
import { toast } from '../ui/toast.tsx';
import { inWords, type Rule } from './condition-words.ts';

type Props = {
  rules: Rule[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
  onEdit: (rule: Rule) => void;
};

export function RulesTable({ rules, chosenId, onChoose, onEdit }: Props) {
  const projectNames = useProjectNames();
  return (
    <ul aria-label="Rules" className="divide-y divide-line">
      {rules.map((rule) => (
        <RuleRow
          key={rule.id}
          rule={rule}
          scope={rule.projectId === null ? 'All projects' : (projectNames?.get(rule.projectId) ?? 'One project')}
          isChosen={rule.id === chosenId}
          onChoose={() => onChoose(rule.id)}
          onEdit={() => onEdit(rule)}
        />
      ))}
    </ul>
  );
}

const severities: Record<Rule['severity'], { label: string; tone: Tone; icon: ReactNode }> = {
  info: { label: 'Info', tone: 'neutral', icon: <Info aria-hidden /> },
  warning: { label: 'Warning', tone: 'warn', icon: <TriangleAlert aria-hidden /> },
  critical: { label: 'Critical', tone: 'bad', icon: <OctagonAlert aria-hidden /> },
};

export function SeverityBadge({ severity }: { severity: Rule['severity'] }) {
  const { label, ...rest } = severities[severity];
  return <Badge {...rest}>{label}</Badge>;
}

type RowProps = { rule: Rule; scope: string; isChosen: boolean; onChoose: () => void; onEdit: () => void };

function RuleRow({ rule, scope, isChosen, onChoose, onEdit }: RowProps) {
  const { name, condition, severity, enabled, actions, triggerCount, lastTriggeredAt } = rule;
  const can = useCan();
  return (
    <li
      className={clsx(
        'relative flex items-start gap-3 px-4 py-3 hover:bg-raised/60 sm:px-5',
        isChosen && 'bg-accent-soft/60 shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <button
            type="button"
            aria-pressed={isChosen}
            onClick={onChoose}
            className="max-w-full truncate text-left font-medium after:absolute after:inset-0"
          >
            {name}
          </button>
          <SeverityBadge severity={severity} />
          {!enabled && <Badge>Off</Badge>}
        </p>
        <p className="mt-0.5 text-sm text-ink-soft">{inWords(condition)}</p>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint tabular-nums">
          <span>{scope}</span>
          {actions.map((action) => (
            <span key={action} className="inline-flex items-center gap-1 [&_svg]:size-3.5">
              {action === 'email' ? <Mail aria-hidden /> : <Webhook aria-hidden />}
              {action === 'email' ? 'E-mail' : 'Webhook'}
            </span>
          ))}
          <span>
            {triggerCount === 0
              ? 'Has not fired'
              : `Fired ${triggerCount === 1 ? 'once' : `${formatNumber(triggerCount)} times`}`}
            {lastTriggeredAt && `, last ${formatAgo(lastTriggeredAt)}`}
          </span>
        </p>
      </div>
      {can('alerts:write') && <RuleControls rule={rule} onEdit={onEdit} />}
    </li>
  );
}

function RuleControls({ rule, onEdit }: { rule: Rule; onEdit: () => void }) {
  const remove = useRemoveRule();
  const toggle = useToggle();
  return (
    <span className="relative z-10 flex items-center gap-2">
      <Switch
        label={`${rule.name} is on`}
        isOn={rule.enabled}
        onChange={(enabled) => toggle.mutate({ id: rule.id, enabled })}
      />
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`Actions for ${rule.name}`}
            icon={<EllipsisVertical className="size-4" aria-hidden />}
          />
        }
      >
        <MenuItem icon={<Settings2 aria-hidden />} onSelect={onEdit}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem isDanger icon={<Trash2 aria-hidden />} onSelect={() => remove(rule)}>
          Delete
        </MenuItem>
      </Menu>
    </span>
  );
}

/** Optimistic: the switch moves at once, and back if the service refuses. */
function useToggle() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const lists = { queryKey: trpc.alerts.list.pathKey() };
  return useMutation(
    trpc.alerts.update.mutationOptions({
      async onMutate({ id, enabled }) {
        await queryClient.cancelQueries(lists);
        queryClient.setQueriesData<{ data: Rule[] }>(lists, (page) => {
          if (!page || enabled === undefined) return page;
          return { ...page, data: page.data.map((rule) => (rule.id === id ? { ...rule, enabled } : rule)) };
        });
      },
      onError: (error) => toast.failed('The alert was not changed', error),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.alerts.pathKey() }),
    }),
  );
}

function useRemoveRule(): (rule: Rule) => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return ({ id, name }) =>
    deleteUndoably({
      id,
      title: `Alert “${name}” deleted`,
      async work() {
        await client.alerts.delete.mutate({ id });
        await queryClient.invalidateQueries({ queryKey: trpc.alerts.list.pathKey() });
      },
    });
}

function useProjectNames(): Map<string, string> | undefined {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ pageSize: 100 }));
  return projects.data && new Map(projects.data.data.map(({ id, name }) => [id, name]));
}
