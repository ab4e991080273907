import { Link } from '@tanstack/react-router';
import { KeyRound, Upload, UserPlus, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCan } from '../session/me.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { requestUpload } from '../uploads/request-upload.ts';

/** For an organization without calls: the first steps that the role allows. */
export function Onboarding() {
  const can = useCan();
  return (
    <Card aria-label="First steps">
      <div className="mx-auto max-w-2xl py-6">
        <h2 className="text-base font-semibold">Welcome to Earshot</h2>
        <p className="mt-1 text-sm text-ink-soft">
          Figures appear here as soon as the first call has been analyzed, usually within minutes.
        </p>
        <ol className="mt-6 grid gap-3">
          {can('records:upload') && (
            <Step
              icon={Upload}
              title="Upload a call"
              action={
                <Button variant="primary" onClick={() => requestUpload()}>
                  Upload
                </Button>
              }
            >
              Drop recordings anywhere on this page. WAV, MP3, OGG, FLAC and M4A work.
            </Step>
          )}
          {can('users:invite') && (
            <Step
              icon={UserPlus}
              title="Invite the team"
              action={
                <Link to="/team" className={buttonClass()}>
                  Invite
                </Link>
              }
            >
              Supervisors review, agents see their own calls and why they scored as they did.
            </Step>
          )}
          {can('tokens:own') && (
            <Step
              icon={KeyRound}
              title="Create an API key"
              action={
                <Link to="/settings/api-keys" className={buttonClass()}>
                  Create
                </Link>
              }
            >
              Send calls from your telephone system or your CRM, and read the results.
            </Step>
          )}
        </ol>
      </div>
    </Card>
  );
}

type StepProps = { icon: LucideIcon; title: string; action: ReactNode; children: ReactNode };

function Step({ icon: Icon, title, action, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line px-4 py-3.5">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-strong">
        <Icon className="size-4" aria-hidden />
      </span>
      <span className="min-w-40 flex-1">
        <span className="block text-sm font-semibold">{title}</span>
        <span className="block text-sm text-ink-soft">{children}</span>
      </span>
      {action}
    </li>
  );
}
