export type Memory<Value> = {
  recall(key: string): Value | undefined;
  remember(key: string, value: Value): void;
  forget(key: string): void;
};

/** Remembers as many values as fit, and forgets first what was remembered longest ago. */
export function createMemory<Value>(sizeMax: number): Memory<Value> {
  const entries = new Map<string, Value>();
  return {
    recall: (key) => entries.get(key),
    forget: (key) => void entries.delete(key),
    remember(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= sizeMax) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
