import type { Webhook } from './events.ts';
import { events, eventWords } from './events.ts';

type Props = {
  value: Webhook['events'];
  onChange: (events: Webhook['events']) => void;
  error?: string | undefined;
};

export function EventsField({ value, onChange, error }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Events</legend>
      <div className="overflow-hidden rounded-lg border border-line">
        {events.map((event) => (
          <label
            key={event}
            className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 border-b border-line px-3 py-1.5 last:border-0 hover:bg-raised"
          >
            <input
              type="checkbox"
              checked={value.includes(event)}
              onChange={({ target }) =>
                onChange(events.filter((each) => (each === event ? target.checked : value.includes(each))))
              }
              className="mt-0.75 size-4 accent-accent"
            />
            <code className="text-xs leading-5 font-medium">{event}</code>
            <span className="col-start-2 text-xs text-ink-soft">{eventWords[event]}</span>
          </label>
        ))}
      </div>
      {error && <p className="mt-1.5 text-xs text-bad">{error}</p>}
    </fieldset>
  );
}
