import type { Sql } from 'postgres';
import { scopeHasEnded, type ScopedClient } from './driver/scoped-client.ts';

type LookUp = {
  client: Sql;
  orgId: string;
  state: { readonly isOpen: boolean };
  /** The statement that enters the organization, which is its parameter of this number, and holds the text. */
  entering(text: string, place: number): string;
  /** Called with the answer, before anybody sees its rows, with the first column: the epoch, if it was asked for. */
  answered(epoch: unknown): void;
};

/**
 * A client for a single statement that enters the organization itself, so that it needs no transaction around it. The
 * setting is local to that statement, and a statement that ran without it would see no rows. Asked later, it could come
 * between the statements of another reading, and take that one's organization from it.
 */
export function createLookUpClient({ client, orgId, state, entering, answered }: LookUp): ScopedClient {
  let isAsked = false;

  async function ask(text: string, params: never[]): Promise<unknown[][]> {
    const scoped = entering(text, params.length + 1);
    const rows = await client.unsafe(scoped, [...params, orgId], { prepare: true }).values();
    answered(rows[0]?.[0]);
    return rows.filter(([, isFound]) => isFound === true).map((row) => row.slice(2) as unknown[]);
  }

  return {
    options: client.options,
    unsafe(text, params) {
      if (!state.isOpen) throw scopeHasEnded();
      if (isAsked) throw new Error('A look-up is one statement.');
      isAsked = true;
      return { values: () => ask(text, params) };
    },
  };
}
