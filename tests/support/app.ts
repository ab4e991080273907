import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildApp } from '../../src/app.ts';
import { loadConfig, type Config } from '../../src/config/config.ts';
import { buildDeps, type Deps } from '../../src/deps.ts';
import type { Role } from '../../src/model/role.ts';
import { addMember } from '../../src/domain/orgs/service.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestDatabase } from './database.ts';
import { shareTestPool } from './heavy-work.ts';

export type TestMember = {
  orgId: string;
  projectId: string;
  userId: string;
  token: string;
  headers: Record<string, string>;
};

export type TestApp = {
  app: FastifyInstance;
  deps: Deps;
  dataDir: string;
  /** An organization with its default project, and its owner's token. */
  createOrg(name?: string): Promise<TestMember>;
  /** A further member of the organization, with a token. */
  addMember(org: TestMember, role: Role, projectIds?: string[] | null): Promise<TestMember>;
  /** A request as that member, without a socket. JSON comes parsed, and untyped: tests say what they expect of it. */
  as(
    member: TestMember,
    request: InjectOptions,
  ): Promise<{ status: number; headers: Record<string, unknown>; body: ReturnType<typeof JSON.parse> }>;
  /** Listens on a free port and gives the address, for what needs real sockets. */
  listen(): Promise<string>;
  close(): Promise<void>;
};

/** The whole service on a database and a data folder of its own. `runPipeline: false` leaves records `pending`. */
export async function createTestApp({
  env = {},
  runPipeline = true,
  log,
}: {
  env?: Record<string, string>;
  runPipeline?: boolean;
  /** Takes the log, for tests of what it holds. */
  log?: NodeJS.WritableStream;
} = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-app-'));
  const config: Config = loadConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_POOL_SIZE: '4',
    // Counts and tells, but lets everything pass.
    RATE_LIMIT_PER_MINUTE: '1000000',
    ...env,
  });
  const hasOwnProcesses = log !== undefined || Object.keys(env).some((name) => name.startsWith('SCORING_'));
  const overrides = hasOwnProcesses ? {} : { heavyWork: shareTestPool() };
  const deps = await buildDeps(config, createLogger(config.LOG_LEVEL, log), overrides);
  const app = await buildApp(deps);
  if (runPipeline) await deps.start();
  const operator = { db: deps.services.db, system: deps.connections.system };
  let count = 0;

  async function member(orgId: string, projectId: string, userId: string): Promise<TestMember> {
    const { token } = await deps.services.db.withOrg(orgId, (tx) =>
      issueToken(tx, userId, { name: 'test', expiresAt: null }),
    );
    return {
      orgId,
      projectId,
      userId,
      token,
      headers: { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId },
    };
  }

  return {
    app,
    deps,
    dataDir,
    async createOrg(name = `Org ${++count}`) {
      const { orgId, projectId, userId } = await createOrg(operator, { name, owner: `owner${++count}@example.com` });
      return member(orgId, projectId, userId);
    },
    async addMember({ orgId, projectId }, role, projectIds = null) {
      const { userId } = await addMember(operator, { orgId, email: `member${++count}@example.com`, role, projectIds });
      return member(orgId, projectId, userId);
    },
    async as({ headers }, request) {
      const response = await app.inject({ ...request, headers: { ...headers, ...request.headers } });
      const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
      return {
        status: response.statusCode,
        headers: response.headers,
        body: isJson && response.body ? response.json() : response.body,
      };
    },
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await app.close();
      await deps.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
