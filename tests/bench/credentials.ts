import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../src/config/config.ts';
import { buildDeps } from '../../src/deps.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { round } from './support.ts';

/** What a request pays to learn who sends it, with a remembered API token and with one that is read anew. */
const rememberedMicrosecondsMax = 50;

const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-bench-'));
const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' });
const deps = await buildDeps(config, createLogger(config.LOG_LEVEL));
try {
  const { auth, db } = deps.services;
  const operator = { db, system: deps.connections.system };
  const { orgId, userId } = await createOrg(operator, { name: 'Bench', owner: 'bench@example.com' });
  const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'bench', expiresAt: null }));
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };

  const measure = async (count: number, anew: boolean): Promise<number> => {
    const startedAt = performance.now();
    for (let left = count; left > 0; left -= 1) {
      const { principal } = await auth.authenticate(headers, { anew });
      auth.authorize(principal, headers, 'records:read');
    }
    return round(((performance.now() - startedAt) * 1000) / count, 1);
  };

  await measure(2_000, false);
  const remembered = await measure(50_000, false);
  const anew = await measure(1_000, true);
  process.stdout.write(`${JSON.stringify({ rememberedMicroseconds: remembered, anewMicroseconds: anew })}\n`);
  if (remembered > rememberedMicrosecondsMax) {
    process.stdout.write(`missed the goal: ${rememberedMicrosecondsMax} µs\n`);
    process.exitCode = 1;
  }
} finally {
  await deps.close();
  await rm(dataDir, { recursive: true, force: true });
}
