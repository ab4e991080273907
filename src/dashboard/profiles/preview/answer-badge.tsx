import { CircleAlert, CircleCheck, CircleMinus, CircleSlash, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Outputs } from '../../lib/trpc.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type Answer = Outputs['profiles']['preview']['checks'][number]['answer'];

const answers: Record<Answer, { label: string; tone: Tone; icon: ReactNode }> = {
  pass: { label: 'Pass', tone: 'good', icon: <CircleCheck aria-hidden /> },
  partial: { label: 'Partial', tone: 'warn', icon: <CircleMinus aria-hidden /> },
  fail: { label: 'Fail', tone: 'bad', icon: <CircleX aria-hidden /> },
  not_applicable: { label: 'Not applicable', tone: 'neutral', icon: <CircleSlash aria-hidden /> },
  needs_review: { label: 'Needs review', tone: 'warn', icon: <CircleAlert aria-hidden /> },
};

export function AnswerBadge({ answer }: { answer: Answer }) {
  const { label, tone, icon } = answers[answer];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

export const answerLabel = (answer: Answer): string => answers[answer].label.toLowerCase();
