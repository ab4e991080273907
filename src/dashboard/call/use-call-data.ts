import { skipToken, useQuery } from '@tanstack/react-query';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import type { Segment } from './transcript/segments.ts';

export type CallRecord = Outputs['records']['get'];
export type Analysis = Outputs['analyses']['get'];
export type Version = Outputs['analyses']['list']['data'][number];
export type Transcript = Outputs['records']['transcript'];
export type Moments = Outputs['analyses']['moments'];
export type Waveform = NonNullable<Outputs['records']['waveform']>;

const pollMs = 2_000;
/** Requesting a waveform that does not exist has it drawn. */
const waveformAttemptsMax = 5;
const alone = { trpc: { context: { alone: true } } };
const none: Segment[] = [];
const noMoments: Moments = { interruptions: [], silences: [] };

export function isUnderWay(status: string | undefined): boolean {
  return status === 'pending' || status === 'processing';
}

/** Everything that the screen shows about a call, in the chosen version or the current one. */
export function useCallData(id: string, chosenAnalysisId: string | undefined) {
  const trpc = useTRPC();
  const record = useQuery(
    trpc.records.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (isUnderWay(state.data?.status) ? pollMs : false) },
    ),
  );
  const analysisId = chosenAnalysisId ?? record.data?.analysisId ?? null;
  const analysis = useQuery(
    trpc.analyses.get.queryOptions(analysisId === null ? skipToken : { id: analysisId }, {
      ...alone,
      refetchInterval: ({ state }) => (isUnderWay(state.data?.status) ? pollMs : false),
    }),
  );
  const isRetained = record.data?.contentDeletedAt === null;
  const isReadable = isRetained && record.data?.status === 'completed';
  const transcript = useQuery(trpc.records.transcript.queryOptions(isReadable ? { id } : skipToken, alone));
  const hasAudio = isReadable && record.data?.file !== null;
  const waveform = useQuery(
    trpc.records.waveform.queryOptions(hasAudio ? { id } : skipToken, {
      ...alone,
      staleTime: Infinity,
      refetchInterval: ({ state }) =>
        state.data === null && state.dataUpdateCount < waveformAttemptsMax ? pollMs : false,
    }),
  );
  const ownAnalysis = analysis.data?.recordId === id ? analysis.data : null;
  const hasMoments = isRetained && ownAnalysis?.status === 'completed';
  const moments = useQuery(
    trpc.analyses.moments.queryOptions(hasMoments ? { id: ownAnalysis.id } : skipToken, {
      ...alone,
      staleTime: Infinity,
    }),
  );
  const segments = isRetained ? segmentsOf(ownAnalysis, transcript.data) : none;
  return {
    record,
    analysis,
    analysisId,
    ownAnalysis,
    transcript,
    waveform,
    moments: moments.data ?? noMoments,
    hasAudio,
    isReadable,
    segments,
  };
}

/** All versions, newest first; refreshes while one is running. */
export function useVersions(recordId: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.analyses.list.queryOptions(
      { recordId, versions: 'all', pageSize: 100 },
      { refetchInterval: ({ state }) => (state.data?.data.some((one) => isUnderWay(one.status)) ? pollMs : false) },
    ),
  );
}

/** Evidence refers to the segments of the analyzed transcript, which may be an earlier one. */
function segmentsOf(analysis: Analysis | null, transcript: Transcript | undefined): Segment[] {
  if (analysis && analysis.segments.length > 0) return analysis.segments;
  return transcript?.segments ?? none;
}
