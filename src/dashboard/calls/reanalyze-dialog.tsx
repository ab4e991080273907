import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { forEachLimited, type Outcome } from '../lib/each.ts';
import { formatDateTime } from '../lib/format.ts';
import { messageOf, useTRPC, useTRPCClient, type Client } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CheckOption } from '../ui/check-option.tsx';
import { ProgressBar } from '../ui/progress.tsx';
import { ProfileField } from './profile-field.tsx';
import type { Call } from './use-calls.ts';

type Props = { calls: Call[]; onClose: () => void };
/** `kept` were reviewed, and are skipped. */
type Run = { done: number; failed: Outcome<Call>[]; kept: number; isOver: boolean };

const atOnce = 3;

/** Re-analyzes several calls with one profile. Failures are listed by call. */
export function ReanalyzeDialog({ calls, onClose }: Props) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const profiles = useQuery(trpc.profiles.list.queryOptions({ pageSize: 100 }));
  const [profileId, setProfileId] = useState<string>();
  const [replaceReview, setReplaceReview] = useState(false);
  const [run, setRun] = useState<Run | null>(null);
  const chosen = profileId ?? profiles.data?.data[0]?.id;
  const start = async (items: Call[]): Promise<void> => {
    if (chosen === undefined) return;
    setRun({ done: 0, failed: [], kept: 0, isOver: false });
    const analyses = analysesOf(client, items);
    let kept = 0;
    const failed = await forEachLimited({
      items,
      limit: atOnce,
      async work({ id }) {
        const analysis = (await analyses).get(id);
        if (analysis === undefined) throw new Error('The call has no analysis yet.');
        if (analysis.reviewed && !replaceReview) kept += 1;
        else await client.analyses.reanalyze.mutate({ id: analysis.id, profileId: chosen, replaceReview });
      },
      onSettled: () => setRun((now) => now && { ...now, done: now.done + 1 }),
    });
    setRun({ done: items.length, failed, kept, isOver: true });
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.records.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.analyses.pathKey() }),
    ]);
  };
  const isRunning = run !== null && !run.isOver;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={calls.length === 1 ? 'Re-analyze a call' : `Re-analyze ${calls.length} calls`}
      description="Each call shows its present score until the new analysis is complete."
      footer={
        run?.isOver ? (
          <>
            {run.failed.length > 0 && (
              <Button onClick={() => void start(run.failed.map(({ item }) => item))}>Try these again</Button>
            )}
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{isRunning ? 'Close' : 'Cancel'}</Button>
            <Button variant="primary" isBusy={isRunning} disabled={!chosen} onClick={() => void start(calls)}>
              Re-analyze
            </Button>
          </>
        )
      }
    >
      {run === null ? (
        <div className="grid gap-4">
          <ProfileField profiles={profiles.data?.data} value={chosen ?? ''} onChange={setProfileId} />
          <CheckOption
            label="Reviewed calls as well"
            hint="Their reviews are replaced. Otherwise these calls are skipped."
            checked={replaceReview}
            onChange={({ target }) => setReplaceReview(target.checked)}
          />
        </div>
      ) : (
        <Progress run={run} total={run.isOver ? run.done : calls.length} />
      )}
    </Dialog>
  );
}

function Progress({ run: { done, failed, kept, isOver }, total }: { run: Run; total: number }) {
  const taken = total - failed.length - kept;
  return (
    <div className="grid gap-3 pb-1">
      <p role="status" className="text-sm">
        {isOver
          ? `${taken} of ${total} ${taken === 1 ? 'is' : 'are'} being re-analyzed.`
          : `${done} of ${total} asked for…`}
      </p>
      {isOver && kept > 0 && (
        <p className="text-sm text-ink-soft">
          {kept === 1 ? 'One call was reviewed and is' : `${kept} calls were reviewed and are`} left as{' '}
          {kept === 1 ? 'it is' : 'they are'}.
        </p>
      )}
      {!isOver && <ProgressBar label="Re-analysis" share={total === 0 ? 1 : done / total} />}
      {failed.length > 0 && (
        <ul aria-label="Not re-analyzed" className="divide-y divide-line rounded-xl border border-line">
          {failed.map(({ item, error }) => (
            <li key={item.id} className="px-3 py-2 text-sm">
              <span className="font-medium">{item.agentName ?? 'Unknown agent'}</span>
              <span className="text-ink-faint"> · {formatDateTime(item.createdAt)}</span>
              <p className="text-xs text-bad">{messageOf(error)}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The current analysis of each call that has one. */
async function analysesOf(client: Client, calls: Call[]): Promise<Map<string, { id: string; reviewed: boolean }>> {
  const results = await client.records.results.query({ ids: calls.map(({ id }) => id) });
  return new Map(results.flatMap(({ id, analysis }) => (analysis ? [[id, analysis]] : [])));
}
