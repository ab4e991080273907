import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { buildDeps, type Deps } from '../../../src/deps.ts';
import { createOrg } from '../../../src/domain/onboarding/service.ts';
import { issueToken } from '../../../src/domain/tokens/service.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { niceness } from '../../../src/lib/niceness.ts';
import { lowerV8Helpers } from '../../../src/lib/v8-helpers.ts';

/**
 * The whole service with its pipeline and its own database, and two organizations on it: says where they are, and ends
 * with its parent's pipe. Requests are not limited in number: who sends too many for one client has several.
 */
lowerV8Helpers(niceness.v8Helpers);
const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-bench-'));
const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '10000000' });
const deps = await buildDeps(config, createLogger(config.LOG_LEVEL));
const app = await buildApp(deps);
const orgs = { greedy: await addOrg(deps, 'greedy'), quiet: await addOrg(deps, 'quiet') };
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
await deps.start();
process.stdout.write(`${JSON.stringify({ baseUrl, ...orgs })}\n`);

process.stdin.resume();
process.stdin.once('end', () => void stop());

async function addOrg({ services: { db }, connections }: Deps, name: string) {
  const operator = { db, system: connections.system };
  const { orgId, projectId, userId } = await createOrg(operator, { name, owner: `${name}@example.com` });
  const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'bench', expiresAt: null }));
  return { orgId, projectId, token };
}

async function stop(): Promise<void> {
  app.server.closeAllConnections();
  await app.close();
  await deps.close();
  await rm(dataDir, { recursive: true, force: true });
}
