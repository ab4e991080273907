import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, Upload } from 'lucide-react';
import { useState } from 'react';
import { isUnderWay } from '../call/use-call-data.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { requestUpload } from '../uploads/request-upload.ts';
import { CallResult, useFirstCall } from './call-result.tsx';
import { sampleCalls, sendSample, type SampleCall } from './sample-calls.ts';
import { StepActions, TakesFocus, type StepProps } from './step.tsx';

/** Until there is a call: one may be dropped anywhere, or arrive from elsewhere. */
const pollMs = 3_000;

/** The newest call and its score, or ways to get one. */
export function CallStep(props: StepProps) {
  const trpc = useTRPC();
  /** The newest call when another one was asked for. */
  const [before, setBefore] = useState<string | null>(null);
  const [given, setGiven] = useState<string | null>(null);
  const newest = useQuery(
    trpc.records.list.queryOptions(
      { pageSize: 1 },
      { refetchInterval: ({ state }) => ((state.data?.data[0]?.id ?? null) === before ? pollMs : false) },
    ),
  );
  const isActed = before !== null || given !== null;
  return (
    <Loaded query={newest} className="h-32">
      {({ data: [call] }) => {
        const id = given ?? (call?.id === before ? undefined : call?.id);
        if (id === undefined) {
          const onBack = before === null ? undefined : () => setGiven(before);
          return (
            <TakesFocus isActed={isActed}>
              <Choices onSkip={props.onSkip} onSent={setGiven} onBack={onBack} />
            </TakesFocus>
          );
        }
        const askAgain = (): void => {
          setBefore(call?.id ?? null);
          setGiven(null);
        };
        return (
          <TakesFocus key={id} isActed={isActed}>
            <Result id={id} onAgain={askAgain} {...props} />
          </TakesFocus>
        );
      }}
    </Loaded>
  );
}

function Result({ id, isDone, onDone, onSkip, onAgain }: StepProps & { id: string; onAgain: () => void }) {
  const call = useFirstCall(id);
  const isRunning = isUnderWay(call.data?.status);
  return (
    <>
      <CallResult query={call} />
      <StepActions onSkip={isDone || isRunning ? undefined : onSkip}>
        {(isDone || isRunning) && (
          <Button variant={isRunning ? 'secondary' : 'primary'} onClick={onDone}>
            {isRunning ? 'Go on meanwhile' : 'Go on'}
          </Button>
        )}
        {!isRunning && (
          <Button variant={isDone ? 'ghost' : 'secondary'} onClick={onAgain}>
            Try another call
          </Button>
        )}
      </StepActions>
    </>
  );
}

type ChoicesProps = {
  onSent: (recordId: string) => void;
  onSkip: (() => void) | undefined;
  onBack: (() => void) | undefined;
};

function Choices({ onSent, onSkip, onBack }: ChoicesProps) {
  const send = useSendSample(onSent);
  return (
    <div className="grid gap-4">
      <div className="grid justify-items-center gap-3 rounded-xl border-2 border-dashed border-line px-4 py-6 text-center">
        <Upload className="size-6 text-accent" aria-hidden />
        <p className="text-sm text-ink-soft">
          Drop a recording of your own anywhere on this page: WAV, MP3, OGG, FLAC or M4A. Best in stereo, with the agent
          on one channel and the customer on the other.
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
      <FormError error={send.error} />
      {(onSkip ?? onBack) && (
        <StepActions onSkip={onSkip}>{onBack && <Button onClick={onBack}>Back to the last call</Button>}</StepActions>
      )}
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
