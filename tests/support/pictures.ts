import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readDemoFile } from '../../src/demo/demo-file.ts';
import { serviceDesk } from '../../src/demo/organizations.ts';
import { launchBrowser } from './browser.ts';

const usage = `npm run pictures [-- --data-dir ./data] [--out docs/pictures]

Takes the README's pictures of a demo that is running (npm run demo).`;

type Picture = { name: string; path: string; theme: 'light' | 'dark' };

const settleMs = 1_500;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: './data' },
    out: { type: 'string', default: 'docs/pictures' },
    help: { type: 'boolean' },
  },
});
if (values.help) process.stdout.write(`${usage}\n`);
else await main(values['data-dir'], values.out);

async function main(dataDir: string, folder: string): Promise<void> {
  const demo = await readDemoFile(dataDir);
  if (!demo) throw new Error(`There is no demo in ${dataDir}. ${usage}`);
  const { baseUrl, orgId, token } = demo;
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
  const firstOf = async (list: string): Promise<string> => {
    const answer = await fetch(`${baseUrl}/api/v1/${list}`, { headers });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data[0]?.id ?? '';
  };
  const worst = await firstOf('records?sort=qualityScore&order=asc&pageSize=1');
  const pictures: Picture[] = [
    { name: 'overview', path: '/', theme: 'light' },
    { name: 'call', path: `/calls/${worst}`, theme: 'light' },
    { name: 'profile', path: `/profiles/${await firstOf('profiles?pageSize=1')}?call=${worst}`, theme: 'dark' },
  ];
  await mkdir(folder, { recursive: true });
  const browser = await launchBrowser();
  for (const { name, path: address, theme } of pictures) {
    const viewport = { width: 1440, height: 900 };
    const page = await browser.newPage({ viewport, colorScheme: theme, locale: 'en-GB', timezoneId: 'UTC' });
    const as = encodeURIComponent(serviceDesk.owner);
    await page.goto(`${baseUrl}/sign-in?as=${as}&to=${encodeURIComponent(address)}`);
    await page.waitForURL(`${baseUrl}${address}`);
    await page.locator('main h1').first().waitFor();
    await page.waitForTimeout(settleMs);
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    process.stdout.write(`${path.join(folder, `${name}.png`)}\n`);
    await page.close();
  }
  await browser.close();
}
