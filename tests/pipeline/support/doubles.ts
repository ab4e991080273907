/**
 * Something that must be done once: a request to a provider, a mail, a delivery. `by` is the process that did it, where that
 * shows; `until` is when it had its answer.
 */
export type Use = { what: string; by: string | null; at: number; until: number };

export type Span = { from: number; to: number };

/** The end of a process: from the signal until it was gone. */
export type Ending = Span & { who: string; how: 'killed' | 'stopped' };

/** What befell the service, as the run itself has noted it. */
export type Faults = { endings: readonly Ending[]; outages: readonly Span[] };

/** One that was done again, and why nobody could help it: null where somebody could. */
export type Repeat = { first: Use; next: Use; reason: string | null };

/** Within so much time of a database that answers, a process notes what it was told, on a machine that is busy otherwise. */
const noteMsMax = 5_000;
/** A signal is heard when its process has its turn. */
const turnMsMax = 1_500;

/**
 * What was done again, each with its reason. A process that ends between the answer of another program and its own note of it
 * leaves whoever comes after it no choice. It must have been the very process that did it first, where that shows, and
 * each end excuses one repeat.
 */
export function findRepeats(uses: readonly Use[], { endings, outages }: Faults): Repeat[] {
  return [...Map.groupBy(uses, ({ what }) => what).values()].flatMap((same) => {
    const left = new Set(endings);
    const inOrder = same.toSorted((a, b) => a.at - b.at);
    return inOrder.slice(1).map((next, index) => {
      const first = inOrder[index] ?? next;
      for (const ending of left) {
        const reason = excuse({ first, next }, ending, outages);
        if (reason === null) continue;
        left.delete(ending);
        return { first, next, reason };
      }
      return { first, next, reason: null };
    });
  });
}

type Pair = Pick<Repeat, 'first' | 'next'>;

/** Null where the end of that process is no reason. */
function excuse({ first, next }: Pair, ending: Ending, outages: readonly Span[]): string | null {
  const { who, how, from, to } = ending;
  if (first.by !== null && first.by !== who) return null;
  // Whoever was told to end begins nothing more.
  const latest = how === 'killed' ? to : from + turnMsMax;
  if (first.at > latest || from > next.at) return null;
  if (first.until >= to) return `${how} before the answer`;
  const isAway = outages.some((outage) => outage.from < to && outage.to > first.at);
  // Who ends in order notes what it was told before.
  if (how === 'stopped' && !isAway) return null;
  if (to - first.until - overlapMs({ from: first.until, to }, outages) > noteMsMax) return null;
  return isAway ? `${how} while the database was away` : `${how} before the note`;
}

function overlapMs({ from, to }: Span, spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);
}
