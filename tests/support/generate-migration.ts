import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run db:generate -- --name …`: writes a migration, and protects the tenant tables that it creates. */
const folder = fileURLToPath(new URL('../../drizzle', import.meta.url));
const before = migrations();
execFileSync('npx', ['drizzle-kit', 'generate', ...process.argv.slice(2)], { stdio: 'inherit' });
for (const file of migrations().difference(before)) {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const tables = [...text.matchAll(/^CREATE TABLE "(\w+)" \(\n\t"org_id"/gm)].map(([, table]) => table);
  for (const table of tables) {
    appendFileSync(path.join(folder, file), `\n--> statement-breakpoint\nSELECT protect_tenant_table('${table}');\n`);
  }
}

function migrations(): Set<string> {
  return new Set(readdirSync(folder).filter((file) => file.endsWith('.sql')));
}
