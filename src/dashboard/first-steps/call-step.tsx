import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, Upload } from 'lucide-react';
import { useState } from 'react';
import { messageOf, useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import { requestUpload } from '../uploads/request-upload.ts';
import { CallResult } from './call-result.tsx';
import { sampleCalls, sendSample, type SampleCall } from './sample-calls.ts';
import { StepActions, type StepProps } from './step.tsx';

/** Until there is a call: one may be dropped anywhere, or arrive from elsewhere. */
const pollMs = 3_000;

/** The newest call and its score, or ways to get one. */
export function CallStep({ isDone, onDone, onSkip }: StepProps) {
  const trpc = useTRPC();
  const [asksAgain, setAsksAgain] = useState(false);
  const newest = useQuery(
    trpc.records.list.queryOptions(
      { pageSize: 1 },
      { refetchInterval: ({ state }) => (state.data?.meta.total === 0 || asksAgain ? pollMs : false) },
    ),
  );
  const [given, setGiven] = useState<string | null>(null);
  if (newest.isPending) return <Skeleton className="h-32" />;
  const id = given ?? newest.data?.data[0]?.id;
  const isChoosing = id === undefined || (asksAgain && given === null);
  if (isChoosing) {
    return (
      <Choices
        onSkip={onSkip}
        onSent={(recordId) => {
          setGiven(recordId);
          setAsksAgain(false);
        }}
      />
    );
  }
  const askAgain = (): void => {
    setGiven(null);
    setAsksAgain(true);
  };
  return (
    <div className="grid gap-4">
      <CallResult id={id} />
      <StepActions onSkip={isDone ? undefined : onSkip}>
        {isDone && (
          <Button variant="primary" onClick={onDone}>
            Go on
          </Button>
        )}
        <Button variant={isDone ? 'ghost' : 'secondary'} onClick={askAgain}>
          Try another call
        </Button>
      </StepActions>
    </div>
  );
}

type ChoicesProps = { onSent: (recordId: string) => void; onSkip: (() => void) | undefined };

function Choices({ onSent, onSkip }: ChoicesProps) {
  const send = useSendSample(onSent);
  return (
    <div className="grid gap-4">
      <div className="grid justify-items-center gap-3 rounded-xl border-2 border-dashed border-line px-4 py-6 text-center">
        <Upload className="size-6 text-accent" aria-hidden />
        <p className="text-sm text-ink-soft">
          Drop a recording of your own anywhere on this page: WAV, MP3, OGG, FLAC or M4A.
        </p>
        <Button variant="primary" onClick={() => requestUpload()}>
          Choose a recording
        </Button>
      </div>
      <div>
        <p className="mb-2 text-sm text-ink-soft">None at hand? Take one of ours, spoken by synthetic voices:</p>
        <ul className="grid gap-2 sm:grid-cols-2">
          {sampleCalls.map((sample) => (
            <li key={sample.title}>
              <button
                type="button"
                disabled={send.isPending}
                aria-busy={(send.isPending && send.variables === sample) || undefined}
                onClick={() => send.mutate(sample)}
                className="flex w-full items-center gap-3 rounded-xl border border-line px-3 py-2.5 text-left hover:border-accent hover:bg-accent-soft/50 disabled:opacity-55"
              >
                <span className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-strong">
                  <Play className="size-4" aria-hidden />
                </span>
                <span className="min-w-0">
                  <span className="block text-sm font-medium">{sample.title}</span>
                  <span className="block text-xs text-ink-soft">{sample.story}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {send.error && (
        <p role="alert" className="text-sm text-bad">
          {messageOf(send.error)}
        </p>
      )}
      {onSkip && <StepActions onSkip={onSkip}>{null}</StepActions>}
    </div>
  );
}

function useSendSample(onSent: (recordId: string) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { session } = useMe();
  return useMutation({
    async mutationFn(sample: SampleCall) {
      const [project] = (await queryClient.fetchQuery(trpc.projects.list.queryOptions({ pageSize: 1 }))).data;
      if (!project) throw new Error('There is no project yet. Take the step before this one first.');
      return sendSample(sample, { projectId: project.id, session });
    },
    async onSuccess(recordId) {
      onSent(recordId);
      await queryClient.invalidateQueries({ queryKey: trpc.records.list.pathKey() });
    },
  });
}
