import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReleaseData, openService } from './release-data.ts';

/**
 * `npm run release:dump`: remembers this release for the tests of upgrades, by a backup of a service with data of every kind
 * and by what its API said about them; for that of compatibility, by the document of its API. Run it once, when the schema of the release stands still.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const [folder = path.join(root, 'tests/fixtures/upgrade'), backupProgram = root] = process.argv.slice(2);
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
await copyFile(path.join(root, 'docs/openapi.json'), path.join(folder, `${version}.openapi.json`));
const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-release-'));
try {
  const t = await openService({ dataDir });
  const data = await makeReleaseData(t, version).finally(() => t.close());
  await writeFile(path.join(folder, `${version}.json`), `${JSON.stringify(data)}\n`);
  const to = path.join(folder, `${version}.tar`);
  await rm(to, { force: true });
  // The backup of another checkout, for a release that has none itself.
  process.env['DATA_DIR'] = dataDir;
  process.argv = [...process.argv.slice(0, 2), 'backup', '--to', to];
  const { runCommandLine } = (await import(path.join(backupProgram, 'src/admin/command-line.ts'))) as {
    runCommandLine: (options: { end: (exitCode: number) => void }) => Promise<void>;
  };
  await runCommandLine({ end: (exitCode) => void (process.exitCode = exitCode) });
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
