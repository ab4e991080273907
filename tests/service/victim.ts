import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { createTestDatabase } from '../support/database.ts';
import { createFlowBrowser, createSignInFlow, type SignInFlow } from '../support/sign-in-flow.ts';
import { newDataDir, startService } from './support.ts';

export type Victim = {
  superuser: Sql;
  flow: SignInFlow;
  /** Kills the service while what `act` asks for waits to write to the table, and starts it again. */
  killWriting(table: string, act: () => Promise<unknown>): Promise<void>;
  /** Kills the service as soon as the condition holds in the database, and starts it again. */
  killOnce(condition: string, act: () => Promise<unknown>): Promise<void>;
  /** Whether the password is right. */
  takes(email: string, password: string): Promise<boolean>;
  [Symbol.asyncDispose](): Promise<void>;
};

const pollMs = 5;

/** The service in a process of its own, which is killed and started again at the same address. */
export async function startVictim(): Promise<Victim> {
  const database = await createTestDatabase();
  const dataDir = await newDataDir();
  const superuser = postgres(database.url, { max: 1, onnotice: () => {} });
  const env: Record<string, string> = { DATA_DIR: dataDir, DATABASE_URL: database.url };
  let service = startService(env);
  const { baseUrl } = await service.healthy();
  const flow = createSignInFlow(new URL(baseUrl).origin);
  const until = async (condition: string): Promise<void> => {
    while ((await superuser.unsafe(`select where ${condition}`)).length === 0) await sleep(pollMs);
  };

  async function startAgain(): Promise<void> {
    // What the killed process has begun is over, too.
    await until(
      'not exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid())',
    );
    service = startService({ ...env, PORT: new URL(baseUrl).port });
    await service.healthy();
    await superuser`delete from sign_in_attempts`;
  }

  return {
    superuser,
    flow,
    async killWriting(table, act) {
      const holder = postgres(database.url, { max: 1 });
      await holder.begin(async (tx) => {
        await tx`lock table ${tx(table)} in share row exclusive mode`;
        const answer = act().catch(() => null);
        await until(`exists (select from pg_locks where relation = '${table}'::regclass and not granted)`);
        await service.stop('SIGKILL');
        await answer;
      });
      await holder.end();
      await startAgain();
    },
    async killOnce(condition, act) {
      const answer = act().catch(() => null);
      await until(condition);
      await service.stop('SIGKILL');
      await answer;
      await startAgain();
    },
    async takes(email, password) {
      await superuser`delete from sign_in_attempts`;
      return (await flow.tryPassword(createFlowBrowser(), email, password)).answer.status === 303;
    },
    async [Symbol.asyncDispose]() {
      await service.stop('SIGKILL');
      await superuser.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
