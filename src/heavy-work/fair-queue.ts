export type FairQueue<Item> = {
  /** False if the organization has too many waiting tasks already. */
  add(item: Item, whose: { orgId: string; isAwaited: boolean }): boolean;
  /** The next task to start; undefined if none may. It counts as running until `done`. */
  take(): Item | undefined;
  done(orgId: string): void;
  /** Empties the queue. */
  clear(): Item[];
};

type Share<Item> = { awaited: Item[]; others: Item[]; underWay: number };

/**
 * Organizations take turns, and none runs more than its share, so that no backlog delays the others. Within an
 * organization, tasks that somebody is waiting for come first, and one place of the share is reserved for them.
 */
export function createFairQueue<Item>({ share, waitingMax }: { share: number; waitingMax: number }): FairQueue<Item> {
  const shares = new Map<string, Share<Item>>();
  const othersMax = Math.max(1, share - 1);

  function next({ awaited, others, underWay }: Share<Item>): Item | undefined {
    const first = underWay < share ? awaited.shift() : undefined;
    return first ?? (underWay < othersMax ? others.shift() : undefined);
  }

  return {
    add(item, { orgId, isAwaited }) {
      const own = shares.get(orgId) ?? { awaited: [], others: [], underWay: 0 };
      if (own.awaited.length + own.others.length >= waitingMax) return false;
      (isAwaited ? own.awaited : own.others).push(item);
      shares.set(orgId, own);
      return true;
    },
    take() {
      for (const [orgId, own] of shares) {
        const item = next(own);
        if (item === undefined) continue;
        own.underWay += 1;
        // An organization that had its turn goes to the end of the line.
        shares.delete(orgId);
        shares.set(orgId, own);
        return item;
      }
      return undefined;
    },
    done(orgId) {
      const own = shares.get(orgId);
      if (!own) return;
      own.underWay -= 1;
      if (own.underWay === 0 && own.awaited.length + own.others.length === 0) shares.delete(orgId);
    },
    clear() {
      const waiting = [...shares.values()].flatMap((own) => [...own.awaited.splice(0), ...own.others.splice(0)]);
      return waiting;
    },
  };
}
