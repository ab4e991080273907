import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const AccessShape = z.object({ orgId: z.string(), projectId: z.string(), token: z.string() });

/** `DATA_DIR/demo.json`: where the demo runs and the credentials for scripts. */
export const DemoFile = AccessShape.extend({
  baseUrl: z.url(),
  otherOrg: AccessShape,
  /** Where people sign in, and the public client that the dashboard uses. */
  issuer: z.string().nullable().default(null),
  clientId: z.string().nullable().default(null),
});
export type DemoFile = z.infer<typeof DemoFile>;

export function demoFilePath(dataDir: string): string {
  return path.resolve(dataDir, 'demo.json');
}

/** What an earlier run wrote; undefined if it is missing or unreadable. */
export async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  try {
    return DemoFile.parse(JSON.parse(await readFile(demoFilePath(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Readable by the owner only, since it holds tokens. Replaced atomically, so readers never see half of it. */
export async function writeDemoFile(dataDir: string, content: DemoFile): Promise<void> {
  const file = demoFilePath(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
