import { clsx } from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import type { StepKey, StepState } from './use-first-steps.ts';

/** What the content of each step receives. */
export type StepProps = { isDone: boolean; onDone: () => void; onSkip: (() => void) | undefined };

type Props = {
  id: StepKey;
  number: number;
  title: string;
  progress: StepState['state'];
  isOpen: boolean;
  onToggle: () => void;
  children: ReactNode;
};

export const headerId = (key: StepKey): string => `first-step-${key}`;

/** A heading that opens and closes its step. */
export function Step({ id, number, title, progress, isOpen, onToggle, children }: Props) {
  const contentId = `${headerId(id)}-content`;
  return (
    <li>
      <h3>
        <button
          type="button"
          id={headerId(id)}
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={onToggle}
          className="flex w-full items-center gap-3 px-4 py-3.5 text-left hover:bg-raised sm:px-6"
        >
          <span
            className={clsx(
              'grid size-7 shrink-0 place-items-center rounded-full border text-xs font-semibold tabular-nums',
              progress === 'done' && 'border-good bg-good-soft text-good',
              progress !== 'done' &&
                (isOpen ? 'border-accent bg-accent-soft text-accent-strong' : 'border-line text-ink-soft'),
            )}
          >
            {progress === 'done' ? <Check className="size-4" aria-hidden /> : <span aria-hidden="true">{number}</span>}
          </span>
          <span className={clsx('min-w-0 flex-1 text-sm font-semibold', progress === 'skipped' && 'text-ink-soft')}>
            {title}
          </span>
          {progress !== 'open' && (
            <span className={clsx('text-xs', progress === 'done' ? 'text-good' : 'text-ink-soft')}>
              {progress === 'done' ? 'Done' : 'Skipped'}
            </span>
          )}
          <ChevronDown
            className={clsx('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
            aria-hidden
          />
        </button>
      </h3>
      <div id={contentId} hidden={!isOpen} className="px-4 pb-5 sm:pr-6 sm:pl-16">
        {isOpen && children}
      </div>
    </li>
  );
}

/** Takes over the focus from what stood here before the user acted. */
export function TakesFocus({ isActed = true, children }: { isActed?: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isMeant] = useState(isActed);
  useEffect(() => (isMeant ? box.current?.focus() : undefined), [isMeant]);
  return (
    <div ref={box} tabIndex={-1} className="grid gap-4 outline-none">
      {children}
    </div>
  );
}

/** What has become of the form that stood here. */
export function StepResult({ children }: { children: ReactNode }) {
  return (
    <TakesFocus>
      <p role="status" className="text-sm">
        {children}
      </p>
    </TakesFocus>
  );
}

type ActionsProps = { onSkip: (() => void) | undefined; children: ReactNode };

/** The buttons below a step. */
export function StepActions({ onSkip, children }: ActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {children}
      {onSkip && (
        <Button variant="ghost" onClick={onSkip}>
          Skip this step
        </Button>
      )}
    </div>
  );
}
