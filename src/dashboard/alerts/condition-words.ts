import { formatNumber } from '../lib/format.ts';
import type { Outputs } from '../lib/trpc.ts';

export type Rule = Outputs['alerts']['list']['data'][number];
export type Condition = Rule['condition'];
export type Operator = Condition['operator'];

/** How a field is named and entered. `scale`: stored value per displayed unit. */
type Field = { label: string; unit: string; scale: number; min?: number; max?: number; step?: number };

const score: Field = { label: 'Quality score', unit: '', scale: 1, min: 0, max: 100 };

export const fields: Record<string, Field> = {
  qualityScore: score,
  judgedShare: { label: 'Judged share of the weight', unit: '%', scale: 0.01, min: 0, max: 100 },
  needsReviewCount: { label: 'Checks left to a person', unit: '', scale: 1, min: 0, step: 1 },
  duration: { label: 'Length', unit: 'seconds', scale: 1, min: 0 },
  talkRatio: { label: 'Agent’s share of the talk', unit: '%', scale: 0.01, min: 0, max: 100 },
  nonTalkTimeMs: { label: 'Time in which nobody talks', unit: 'seconds', scale: 1000, min: 0 },
  interruptions: { label: 'Interruptions', unit: '', scale: 1, min: 0 },
  sentiment: { label: 'Sentiment', unit: '', scale: 1, min: -1, max: 1, step: 0.1 },
};

const categoryPrefix = 'categories.';

export const operators: Record<Operator, string> = {
  lt: 'is below',
  lte: 'is at most',
  gt: 'is above',
  gte: 'is at least',
  eq: 'is',
  neq: 'is not',
};

export const complianceStatuses: Record<string, string> = {
  failed: 'failed',
  needs_review: 'needs review',
  passed: 'passed',
  not_applicable: 'not applicable',
};

export const isCategory = (field: string): boolean => field.startsWith(categoryPrefix);
export const categoryField = (key: string): string => `${categoryPrefix}${key}`;

export function fieldOf(name: string): Field {
  if (isCategory(name)) return { ...score, label: `${titleOf(name.slice(categoryPrefix.length))} score` };
  return fields[name] ?? { label: name === 'complianceStatus' ? 'Compliance' : name, unit: '', scale: 1 };
}

/** "Quality score is below 50". */
export function inWords({ field, operator, value }: Condition): string {
  return `${fieldOf(field).label} ${operators[operator]} ${valueInWords(field, value)}`;
}

export function valueInWords(field: string, value: number | string): string {
  if (typeof value === 'string') return complianceStatuses[value] ?? value;
  const { unit, scale } = fieldOf(field);
  const figure = formatNumber(shown(value, scale));
  if (unit === '%') return `${figure} %`;
  return unit === '' ? figure : `${figure} ${unit}`;
}

/** Rounds away the noise of binary fractions. */
export function shown(value: number, scale: number): number {
  return Number((value / scale).toFixed(4));
}

/** `problemResolution` → "Problem resolution". */
function titleOf(key: string): string {
  const words = key
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "30 minutes". */
export function spanInWords(seconds: number): string {
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const) {
    if (seconds >= size && seconds % size === 0) return counted(seconds / size, unit);
  }
  return counted(seconds, 'second');
}

function counted(count: number, unit: string): string {
  return `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`;
}
