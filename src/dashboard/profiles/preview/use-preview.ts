import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Rubric } from '../../../model/rubric.ts';
import { useTRPC, useTRPCClient } from '../../lib/trpc.ts';

const waitMs = 500;
const callsMax = 50;

/** Completed calls to try a rubric with, newest first. */
export function useCalls(isEnabled: boolean) {
  const trpc = useTRPC();
  return useQuery(
    trpc.records.list.queryOptions({ status: ['completed'], pageSize: callsMax }, { enabled: isEnabled }),
  );
}

type PreviewOptions = { profileId: string; recordId: string | undefined; rubric: Rubric };

/** The draft's result on a call, half a second after the last change; the previous result stays until then. */
export function usePreview({ profileId, recordId, rubric }: PreviewOptions) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const text = useSettled(JSON.stringify(rubric));
  // The draft of the request, which may be older than the one on the screen.
  const draft = useMemo(() => Rubric.safeParse(JSON.parse(text)).data, [text]);
  return useQuery({
    queryKey: [...trpc.profiles.preview.mutationKey(), profileId, recordId, text],
    enabled: recordId !== undefined && draft !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      client.profiles.preview.mutate(
        { id: profileId, recordId: recordId ?? '', draft },
        { signal, context: { alone: true } },
      ),
  });
}

/** The call's current analysis, for comparison. */
export function useCurrentAnalysis(recordId: string | undefined) {
  const trpc = useTRPC();
  const record = useQuery(trpc.records.get.queryOptions({ id: recordId ?? '' }, { enabled: recordId !== undefined }));
  const analysisId = record.data?.analysisId;
  return useQuery(
    trpc.analyses.get.queryOptions(
      { id: analysisId ?? '' },
      { enabled: Boolean(analysisId), trpc: { context: { alone: true } } },
    ),
  );
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
