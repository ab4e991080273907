import { useEffect, useRef, useState, type ComponentType } from 'react';
import { PartyPopper } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useMe } from '../session/me.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ProgressBar } from '../ui/progress.tsx';
import { Skeleton } from '../ui/states.tsx';
import { CallStep } from './call-step.tsx';
import { InviteStep } from './invite-step.tsx';
import { KeyStep } from './key-step.tsx';
import { OrganizationStep } from './organization-step.tsx';
import { ProjectStep } from './project-step.tsx';
import { headerId, Step, type StepProps } from './step.tsx';
import {
  useDismissFirstSteps,
  useFirstSteps,
  useSettleStep,
  type FirstStepsState,
  type StepKey,
} from './use-first-steps.ts';

const titleId = 'first-steps-title';

const contents: Record<StepKey, { title: string; Content: ComponentType<StepProps> }> = {
  organization: { title: 'Name your organization', Content: OrganizationStep },
  project: { title: 'Describe your calls', Content: ProjectStep },
  call: { title: 'See a call scored', Content: CallStep },
  invite: { title: 'Invite a colleague', Content: InviteStep },
  key: { title: 'Connect your systems', Content: KeyStep },
};

/** From an empty organization to a scored call, a colleague and a key. Each step can be left, skipped and taken up again. */
export function FirstSteps() {
  const { org } = useMe();
  const state = useFirstSteps();
  return (
    <Card aria-label="First steps" isFlush className="mx-auto max-w-3xl">
      {state ? <Steps key={org.id} state={state} /> : <Skeleton className="m-5 h-64" />}
    </Card>
  );
}

function Steps({ state }: { state: FirstStepsState }) {
  const { steps } = state;
  const settle = useSettleStep();
  const [current, setCurrent] = useState(() => nextOf(steps));
  const moved = useRef(false);
  const left = steps.filter((step) => step.state === 'open').length;
  useEffect(() => {
    if (moved.current) document.getElementById(current ? headerId(current) : titleId)?.focus();
    moved.current = false;
  }, [current]);
  const goOn = (from: StepKey): void => {
    moved.current = true;
    setCurrent(nextOf(steps, from));
  };
  const skip = (key: StepKey): void => settle.mutate({ key, as: 'skipped' }, { onSuccess: () => goOn(key) });
  return (
    <>
      <Head state={state} left={left} />
      <ol className="divide-y divide-line border-t border-line">
        {steps.map(({ key, state: progress }, index) => {
          const { title, Content } = contents[key];
          const isOpen = key === current;
          const onToggle = (): void => setCurrent(isOpen ? null : key);
          return (
            <Step key={key} {...{ id: key, number: index + 1, title, progress, isOpen, onToggle }}>
              <Content
                isDone={progress === 'done'}
                onDone={() => goOn(key)}
                onSkip={progress === 'open' ? () => skip(key) : undefined}
              />
            </Step>
          );
        })}
      </ol>
    </>
  );
}

function Head({ state, left }: { state: FirstStepsState; left: number }) {
  const dismiss = useDismissFirstSteps();
  const count = state.steps.length;
  const settled = count - left;
  return (
    <header className="px-4 pt-5 pb-4 sm:px-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={titleId} tabIndex={-1} className="flex items-center gap-2 text-base font-semibold outline-none">
            {left === 0 && <PartyPopper className="size-4.5 text-accent" aria-hidden />}
            {left === 0 ? 'You are all set' : 'Welcome to Earshot'}
          </h2>
          <p className="mt-0.5 text-sm text-ink-soft">
            {left === 0
              ? 'Everything here stays within reach under its own name on the left.'
              : 'Five short steps to your first scored call. Leave at any time; you go on where you stopped.'}
          </p>
        </div>
        {left === 0 ? (
          <Link to="/calls" className={buttonClass({ variant: 'primary' })}>
            Go to the calls
          </Link>
        ) : state.isDismissed ? (
          <Button size="sm" isBusy={dismiss.isPending} onClick={() => dismiss.mutate({ isDismissed: false })}>
            Keep in the navigation
          </Button>
        ) : (
          <Button
            size="sm"
            variant="ghost"
            isBusy={dismiss.isPending}
            onClick={() => dismiss.mutate({ isDismissed: true })}
          >
            Put away
          </Button>
        )}
      </div>
      <div className="mt-4 flex items-center gap-3">
        <div className="flex-1">
          <ProgressBar label="First steps taken" share={settled / count} />
        </div>
        <p className="text-xs text-ink-soft tabular-nums">
          {settled} of {count}
        </p>
      </div>
    </header>
  );
}

/** The first open step after `from`, else the first open one; null when there is none. */
function nextOf(steps: FirstStepsState['steps'], from?: StepKey): StepKey | null {
  const at = steps.findIndex(({ key }) => key === from);
  const ordered = [...steps.slice(at + 1), ...steps.slice(0, Math.max(at, 0))];
  return ordered.find(({ state }) => state === 'open')?.key ?? null;
}
