import { CircleAlert, MessageSquare, PencilLine, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Annotation } from './use-annotations.ts';

type AnnotationType = Annotation['type'];

export const annotationTypes: Record<AnnotationType, { label: string; tone: Tone; icon: ReactNode }> = {
  comment: { label: 'Comment', tone: 'neutral', icon: <MessageSquare aria-hidden /> },
  praise: { label: 'Praise', tone: 'good', icon: <ThumbsUp aria-hidden /> },
  issue: { label: 'Issue', tone: 'bad', icon: <CircleAlert aria-hidden /> },
  correction: { label: 'Correction', tone: 'warn', icon: <PencilLine aria-hidden /> },
};

export function AnnotationBadge({ type }: { type: AnnotationType }) {
  const { label, tone, icon } = annotationTypes[type];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
