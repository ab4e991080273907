import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { buildDeps } from '../../../src/deps.ts';
import { createOrg } from '../../../src/domain/onboarding/service.ts';
import { issueToken } from '../../../src/domain/tokens/service.ts';
import { createLogger } from '../../../src/lib/logger.ts';

/** The whole service without its pipeline, in a process of its own: says where it is, and ends with its parent's pipe. */
const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-bench-'));
const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '10000000' });
const deps = await buildDeps(config, createLogger(config.LOG_LEVEL));
const app = await buildApp(deps);
const { db } = deps.services;
const { orgId, projectId, userId } = await createOrg(
  { db, system: deps.connections.system },
  { name: 'Bench', owner: 'bench@example.com' },
);
const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'bench', expiresAt: null }));
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ baseUrl, orgId, projectId, token, dataDir })}\n`);

process.stdin.resume();
process.stdin.once('end', () => void stop());

async function stop(): Promise<void> {
  app.server.closeAllConnections();
  await app.close();
  await deps.close();
  await rm(dataDir, { recursive: true, force: true });
}
