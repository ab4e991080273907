import { keepPreviousData, skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC, type Outputs } from '../../lib/trpc.ts';
import { useCall } from '../call-context.tsx';

export type Annotation = Outputs['annotations']['list']['data'][number];

export const pageSize = 100;

/** Annotations of the shown analysis, oldest first. */
export function useAnnotations(): UseQueryResult<Outputs['annotations']['list']> {
  const trpc = useTRPC();
  const { analysis } = useCall();
  const input = analysis ? { id: analysis.id, pageSize } : skipToken;
  return useQuery({
    ...trpc.annotations.list.queryOptions(input),
    placeholderData: keepPreviousData,
  }) as UseQueryResult<Outputs['annotations']['list']>;
}

export function useNotesBySegment(): Map<string, Annotation[]> {
  const { data } = useAnnotations();
  return useMemo(() => {
    const bySegment = new Map<string, Annotation[]>();
    for (const note of data?.data ?? []) {
      if (note.segmentId !== null) bySegment.set(note.segmentId, [...(bySegment.get(note.segmentId) ?? []), note]);
    }
    return bySegment;
  }, [data]);
}
