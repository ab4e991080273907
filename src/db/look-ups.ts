import type { Sql } from 'postgres';
import type { ScopedClient } from './driver/scoped-client.ts';

type LookUp = {
  client: Sql;
  orgId: string;
  withEpoch: boolean;
  /** Called with the answer, before anybody sees its rows. The epoch is null if it was not asked for. */
  answered(epoch: unknown): void;
};

/**
 * A client for a single statement that enters the organization itself, so that it needs no transaction around it. The
 * setting is local to that statement, and a statement that ran without it would see no rows.
 */
export function createLookUpClient({ client, orgId, withEpoch, answered }: LookUp): ScopedClient {
  let isAsked = false;

  async function ask(text: string, params: never[]): Promise<unknown[][]> {
    const scoped = scopedText(text, params.length + 1, withEpoch);
    const rows = await client.unsafe(scoped, [...params, orgId], { prepare: true }).values();
    answered(rows[0]?.[0]);
    return rows.filter(([, isFound]) => isFound === true).map((row) => row.slice(2) as unknown[]);
  }

  return {
    options: client.options,
    unsafe(text, params) {
      if (isAsked) throw new Error('A look-up is one statement.');
      isAsked = true;
      return { values: () => ask(text, params) };
    },
  };
}

/**
 * The outer side of a left join comes first, whatever the planner prefers. Columns are taken by position, since a join
 * may have several of one name.
 */
function scopedText(text: string, place: number, withEpoch: boolean): string {
  const epoch = withEpoch ? `(select credential_epoch::text from orgs where id = $${place})` : 'null::text';
  return `select scope.epoch, found.* from (select set_config('app.org_id', $${place}, true), ${epoch} as epoch) as scope
    left join (select true, asked.* from (${text}) as asked) as found on true`;
}
