import { formatWhen } from '../../lib/format.ts';
import type { Version } from '../use-call-data.ts';

export function labelOf({ version, current, status, profile, qualityScore, createdAt }: Version): string {
  const state = status === 'completed' ? `score ${qualityScore ?? '–'}` : status;
  return `Version ${version}${current ? ' (current)' : ''} · ${profile.name} · ${state} · ${formatWhen(createdAt)}`;
}
