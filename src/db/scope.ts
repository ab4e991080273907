import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql, TransactionSql } from 'postgres';
import type { Connections } from './client.ts';
import { answeredInTime, startedInTime, type Wait } from './deadline.ts';
import { createScopedClient, drizzleOn, type ScopedClient } from './driver/scoped-client.ts';
import { hasGivenWay } from './failures.ts';
import { createLookUpClient } from './look-ups.ts';
import type { Readers } from './readers.ts';
import { createSemaphore } from '../lib/semaphore.ts';

declare const scope: unique symbol;

/** A transaction that sees only one organization. Only a `Database` creates one. */
export type OrgTx = Omit<PostgresJsDatabase, 'transaction'> & {
  readonly orgId: string;
  /** Where statements that were written elsewhere are sent (driver/statements.ts). */
  readonly client: ScopedClient;
  readonly [scope]: true;
};

export type Database = {
  /**
   * Runs `work` inside the organization: commits if it resolves, rolls back if it rejects. After a deadlock it is run
   * again, so all its effects must be in the database.
   */
  withOrg<T>(orgId: string, work: (tx: OrgTx) => Promise<T>): Promise<T>;
  /**
   * Reads inside the organization. All statements of `work` must be issued at once (`Promise.all`): the whole
   * transaction is sent together, in one round trip. Statements after the first answer are refused.
   */
  readOrg<T>(orgId: string, work: (tx: OrgTx) => Promise<T>): Promise<T>;
  /**
   * Finds something by its key inside the organization: a single `select` of `work`, which takes no time to speak of.
   * Sent without a transaction around it, it costs Postgres and us half of what `readOrg` does.
   */
  findInOrg<T>(orgId: string, work: (tx: OrgTx) => Promise<T>): Promise<T>;
  /** The same on separate connections, where a statement is cancelled after `searchTimeoutMs` (client.ts). */
  searchOrg<T>(orgId: string, work: (tx: OrgTx) => Promise<T>): Promise<T>;
  /**
   * One transaction for everything that `work` does on the database that it receives: all of it commits if `work`
   * resolves, or none of it. A nested scope that rejects rolls back only its own changes.
   */
  together<T>(orgId: string, work: (db: Database, tx: OrgTx) => Promise<T>): Promise<T>;
  /** Runs `work` after the commit: now, or after the surrounding transaction. */
  afterCommit(work: () => Promise<void>): Promise<void>;
  /** The same database for a request with a cached credential: its reads compare the epoch at no extra cost. */
  asOf(memory: Memory): Database;
};

/** A credential that was read in some epoch of its organization. The first read in the same epoch confirms it. */
export type Memory = { readonly epoch: string; isConfirmed: boolean };

/** The organization's credentials have changed since the request's own was read. */
export class StaleCredentialError extends Error {
  constructor() {
    super('The credentials of the organization have changed.');
    this.name = 'StaleCredentialError';
  }
}

const attemptsMax = 4;
const pauseMsMax = 50;

/**
 * Opens organization scopes. Never hold one across a call to a provider: it holds a connection and locks. `execute()`
 * queues the role switch at once, so it precedes every statement of `work` and costs no extra round trip.
 */
export function createDatabase(connections: DatabaseConnections): Database {
  const { app, shares, readers, searchReaders, writes } = connections;

  async function transact<T>(orgId: string, work: Work<T>): Promise<T> {
    const state = { isOpen: true };
    try {
      return await startedInTime((wait) => shares.hold(orgId, () => begin({ orgId, work, state, wait }), wait));
    } catch (error) {
      writes.note(error);
      throw error;
    } finally {
      state.isOpen = false;
    }
  }

  async function begin<T>({ orgId, work, state, wait }: Beginning<T>): Promise<T> {
    const result = await app.begin(async (client) => {
      if (!wait.started()) throw new Error('Nobody waits for this transaction any more.');
      const entered = client`select set_config('role', 'earshot_app', true), set_config('app.org_id', ${orgId}, true)`;
      entered.execute();
      const tx = orgTx({ client, options: app.options, orgId, state });
      const [done] = await Promise.all([work(tx, client), entered]);
      return { done };
    });
    return result.done;
  }

  const readingOn =
    (readers: Readers, memory: Memory | null, read: Read = readWhole): Database['readOrg'] =>
    (orgId, work) =>
      answeredInTime((wait) =>
        readers.run(orgId, (client) => read({ client, orgId, work, memory, started: wait.started }), wait),
      );

  const within = (memory: Memory | null): Database => ({
    withOrg: (orgId, work) => givingWay(() => transact(orgId, (tx) => work(tx))),
    async together(orgId, work) {
      const { options } = app;
      let later: Later = [];
      const inside = (tx: OrgTx, client: TransactionSql) =>
        work(databaseWithin({ client, options, orgId, later: (later = []) }), tx);
      const result = await givingWay(() => transact(orgId, inside));
      for (const follow of later) await follow();
      return result;
    },
    afterCommit: (work) => work(),
    readOrg: readingOn(readers, memory),
    findInOrg: readingOn(readers, memory, lookUp),
    searchOrg: readingOn(searchReaders, memory),
    asOf: within,
  });
  return within(null);
}

/** Waits a random time, so that the same transactions do not collide again at once. */
async function givingWay<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact();
    } catch (error) {
      if (attempt === attemptsMax || !hasGivenWay(error)) throw error;
      await sleep(Math.random() * pauseMsMax * attempt);
    }
  }
}

export type Identity = { role: 'none' | 'earshot_app' | 'earshot_system'; orgId: string };

/**
 * For a backup, which copies whole tables: the rest of the transaction reads only what the role sees of the
 * organization.
 */
export async function workAs(client: TransactionSql, { role, orgId }: Identity): Promise<void> {
  await client`select set_config('role', ${role}, true), set_config('app.org_id', ${orgId}, true)`;
}

type DatabaseConnections = Pick<Connections, 'app' | 'shares' | 'readers' | 'searchReaders' | 'writes'>;
type Work<T> = (tx: OrgTx, client: TransactionSql) => Promise<T>;
type Beginning<T> = { orgId: string; work: Work<T>; state: { isOpen: boolean }; wait: Wait };

type Later = (() => Promise<void>)[];
type Whole = { client: TransactionSql; options: Sql['options']; orgId: string; later: Later };

/** A database within one transaction: its scopes are savepoints, one after the other. */
function databaseWithin({ client, options, orgId, later }: Whole): Database {
  const turns = createSemaphore(1);

  async function part<T>(id: string, work: Work<T>): Promise<T> {
    if (id !== orgId) throw new Error('A transaction belongs to one organization.');
    return turns(async () => {
      const state = { isOpen: true };
      try {
        const { done } = await client.savepoint(async (client) => ({
          done: await work(orgTx({ client, options, orgId, state }), client),
        }));
        return done;
      } finally {
        state.isOpen = false;
      }
    });
  }

  const within: Database = {
    withOrg: (id, work) => part(id, (tx) => work(tx)),
    readOrg: (id, work) => part(id, (tx) => work(tx)),
    findInOrg: (id, work) => part(id, (tx) => work(tx)),
    searchOrg: (id, work) => part(id, (tx) => work(tx)),
    async together(id, work) {
      const own: Later = [];
      const done = await part(id, (tx, client) => work(databaseWithin({ client, options, orgId, later: own }), tx));
      later.push(...own);
      return done;
    },
    afterCommit: async (work) => void later.push(work),
    // A request that writes has read its credential from the database.
    asOf: () => within,
  };
  return within;
}

const enter = "select set_config('app.org_id', $1, true)";
/** The row is selected after the switch, in its organization. The other way round, nothing would be found. */
const enterInEpoch = `${enter}, (select credential_epoch::text from orgs where id = $1)`;

type Reading<T> = {
  client: Sql;
  orgId: string;
  work: (tx: OrgTx) => Promise<T>;
  memory: Memory | null;
  started: () => boolean;
};

type Read = <T>(reading: Reading<T>) => Promise<T>;

async function lookUp<T>({ client, orgId, work, memory, started }: Reading<T>): Promise<T> {
  const withEpoch = memory !== null && !memory.isConfirmed;
  const answered = (epoch: unknown): void => {
    started();
    if (withEpoch) confirm(memory, epoch);
  };
  const entering = withEpoch ? findInEpoch : find;
  const state = { isOpen: true };
  try {
    return await work(vouchedFor(createLookUpClient({ client, orgId, state, entering, answered }), orgId));
  } finally {
    state.isOpen = false;
  }
}

const find = (text: string, place: number) => findWith(text, place, 'null');
const findInEpoch = (text: string, place: number) =>
  findWith(text, place, `(select credential_epoch::text from orgs where id = $${place})`);

/**
 * The outer side of a left join comes first, whatever the planner prefers. Columns are taken by position, since a join
 * may have several of one name.
 */
function findWith(text: string, place: number, epoch: string): string {
  return `select scope.epoch, found.* from (select set_config('app.org_id', $${place}, true), ${epoch} as epoch) as scope
    left join (select true, asked.* from (${text}) as asked) as found on true`;
}

/** A failed statement, including the switch, fails all that follow: nothing is read outside the organization. */
async function readWhole<T>({ client, orgId, work, memory, started }: Reading<T>): Promise<T> {
  const state = { isOpen: true };
  const isToConfirm = memory !== null && !memory.isConfirmed;
  const send = (text: string, parameters: string[] = []) =>
    client.unsafe(text, parameters, { prepare: true }).values().execute();
  const begun = send('begin read only').then(started);
  const entered = send(isToConfirm ? enterInEpoch : enter, [orgId]);
  // A drizzle query runs again for everyone who awaits it; a promise does not.
  const result = Promise.resolve(work(orgTx({ client, options: client.options, orgId, state })));
  const ended = allAsked().then(() => {
    state.isOpen = false;
    return send('commit');
  });
  const settled = await Promise.allSettled([begun, entered, ended, result]);
  const failed = settled.find(({ status }) => status === 'rejected');
  if (isToConfirm && settled[1].status === 'fulfilled') confirm(memory, settled[1].value[0]?.[1]);
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return result;
}

/**
 * A tick scheduled from a promise job runs after all other jobs: by then every statement that needs no answer has been
 * issued.
 */
async function allAsked(): Promise<void> {
  await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

function confirm(memory: Memory, epoch: unknown): void {
  if (epoch !== memory.epoch) throw new StaleCredentialError();
  memory.isConfirmed = true;
}

type ScopeOptions = {
  client: Sql | TransactionSql;
  options: Sql['options'];
  orgId: string;
  state: { isOpen: boolean };
};

/** On the transaction behind the client, the switch has been queued. */
function orgTx({ orgId, ...scoped }: ScopeOptions): OrgTx {
  return vouchedFor(createScopedClient(scoped), orgId);
}

/** The one place that vouches for the brand: what is sent to the client runs in the organization. */
function vouchedFor(client: ScopedClient, orgId: string): OrgTx {
  return Object.assign(drizzleOn(client), { orgId, client }) as unknown as OrgTx;
}
