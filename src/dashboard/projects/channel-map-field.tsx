import { useController } from 'react-hook-form';
import { Field, Select } from '../ui/field.tsx';
import type { ProjectForm } from './project.ts';

type Map = NonNullable<ProjectForm['settings']>['channelMap'];

const choices = {
  content: { label: 'Detected from what is said', map: null },
  agentFirst: { label: 'Left is the agent, right the customer', map: { '0': 'agent', '1': 'customer' } },
  customerFirst: { label: 'Left is the customer, right the agent', map: { '0': 'customer', '1': 'agent' } },
} as const;
type Choice = keyof typeof choices;

/** Who is on which channel of a stereo recording. */
export function ChannelMapField() {
  const { field, fieldState } = useController<ProjectForm, 'settings.channelMap'>({ name: 'settings.channelMap' });
  const choice = choiceOf(field.value);
  return (
    <Field
      label="Stereo recordings"
      error={fieldState.error?.message}
      hint="If your telephony records each party on its own channel, this makes sure that agent and customer are never mixed up. Mono recordings and earlier calls are not affected."
    >
      {(props) => (
        <Select
          {...props}
          ref={field.ref}
          name={field.name}
          value={choice}
          onBlur={field.onBlur}
          onChange={({ target }) => field.onChange(isChoice(target.value) ? choices[target.value].map : field.value)}
        >
          {Object.entries(choices).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {choice === 'other' && <option value="other">{describe(field.value)}</option>}
        </Select>
      )}
    </Field>
  );
}

function choiceOf(map: Map): Choice | 'other' {
  if (map === null || map === undefined || Object.keys(map).length === 0) return 'content';
  const isOf = (first: string, second: string): boolean =>
    Object.keys(map).length === 2 && map['0'] === first && map['1'] === second;
  if (isOf('agent', 'customer')) return 'agentFirst';
  return isOf('customer', 'agent') ? 'customerFirst' : 'other';
}

function isChoice(value: string): value is Choice {
  return Object.hasOwn(choices, value);
}

function describe(map: Map): string {
  return Object.entries(map ?? {})
    .map(([channel, role]) => `channel ${Number(channel) + 1}: ${role}`)
    .join(', ');
}
