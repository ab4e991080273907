import { messageOf } from '../lib/trpc.ts';

/** Why a form was not taken, at its end; errors of one field stand below it. In a long form, it comes into view. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p ref={comeIntoView} role="alert" className="text-sm text-bad">
      {messageOf(error)}
    </p>
  );
}

function comeIntoView(text: HTMLElement | null): void {
  text?.scrollIntoView({ block: 'nearest' });
}
