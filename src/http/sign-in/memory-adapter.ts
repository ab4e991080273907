import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

type Entry = { payload: AdapterPayload; endsAtMs: number };

const entriesMax = 5_000;

/** Sessions, codes and grants of the embedded provider. A restart drops them; one click creates new ones. */
export function createMemoryAdapter(): AdapterFactory {
  const entries = new Map<string, Entry>();

  function find(key: string): AdapterPayload | undefined {
    const entry = entries.get(key);
    if (entry && entry.endsAtMs > Date.now()) return entry.payload;
    entries.delete(key);
    return undefined;
  }

  function keep(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest);
  }

  return (model: string): Adapter => {
    const keyOf = (id: string): string => `${model}:${id}`;
    const findBy = (matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
      const found = [...entries].find(([key, { payload }]) => key.startsWith(`${model}:`) && matches(payload));
      return found && find(found[0]);
    };
    return {
      async upsert(id, payload, expiresInSeconds) {
        const endsAtMs = expiresInSeconds ? Date.now() + expiresInSeconds * 1000 : Number.POSITIVE_INFINITY;
        keep(keyOf(id), { payload: { ...payload }, endsAtMs });
      },
      find: async (id) => find(keyOf(id)),
      findByUid: async (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findBy((payload) => payload.userCode === userCode),
      async consume(id) {
        const payload = find(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        entries.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
      },
    };
  };
}
