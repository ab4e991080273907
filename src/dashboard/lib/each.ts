type EachOptions<Item> = {
  items: readonly Item[];
  /** How many at once. */
  limit: number;
  work: (item: Item) => Promise<unknown>;
  onSettled?: (outcome: Outcome<Item>) => void;
};

export type Outcome<Item> = { item: Item; error: unknown };

/** Runs it for all items, a few at a time, regardless of failures. Returns those that failed. */
export async function forEachLimited<Item>({
  items,
  limit,
  work,
  onSettled,
}: EachOptions<Item>): Promise<Outcome<Item>[]> {
  const failed: Outcome<Item>[] = [];
  const queue = [...items];
  async function run(): Promise<void> {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const outcome: Outcome<Item> = { item, error: null };
      try {
        await work(item);
      } catch (error) {
        outcome.error = error;
        failed.push(outcome);
      }
      onSettled?.(outcome);
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  return failed;
}
