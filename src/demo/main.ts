import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp } from '../app.ts';
import { loadDemoConfig, type Config } from '../config/config.ts';
import { buildDeps, type Deps } from '../deps.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
import { listRecognisers, modelsFolder } from '../providers/speech/models/installed.ts';
import { ensureTools } from '../provision/system-packages.ts';
import { serve, type RunningServer } from '../serve.ts';
import { assertCanStart } from '../setup/start-checks.ts';
import { watchCalls } from './alerts.ts';
import { clinicCalls } from './calls/clinic.ts';
import type { DemoCall } from './calls/demo-call.ts';
import { serviceDeskCalls } from './calls/service-desk.ts';
import { createClient } from './client.ts';
import { demoFilePath, readDemoFile, writeDemoFile, type DemoFile } from './demo-file.ts';
import { clinic, openOrganization, serviceDesk, tokenOf, type Access } from './organizations.ts';
import { signInOf } from './sign-in.ts';
import { Progress } from './progress.ts';
import { printEvidence, printTable } from './results.ts';
import { runCalls, type CallResult, type CallState } from './run-calls.ts';
import { paint, say } from './screen.ts';
import { together } from './together.ts';

const usage = `npm run demo [-- --no-install]

Starts the service with sample calls, which are synthesized, uploaded and analysed while you watch.
  --no-install   only say which programs are missing, install none
The service's own settings apply: see .env.example.`;

const explainedCall = 'demo-card-aloud';
const agent = { name: 'Brian Foster', email: 'brian.foster@bluebird.example' };

const { values: flags } = parseArgs({ options: { 'no-install': { type: 'boolean' }, help: { type: 'boolean' } } });
if (flags.help) process.stdout.write(`${usage}\n`);
else await main();

async function main(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  // If the terminal or pipe is closed, stop the database as well.
  process.stdout.on('error', () => stopping.abort());
  try {
    await demo(loadDemoConfig(), stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) return;
    say();
    say(paint('red', error instanceof Error ? error.message : String(error)));
    process.exitCode = 1;
  }
}

async function demo(config: Config, signal: AbortSignal): Promise<void> {
  say();
  say(`${paint('bold', 'Earshot')} ${paint('dim', 'from a recording to a score that explains itself')}`);
  say();
  if (!(await installTools(config))) return;
  await assertCanStart(config);
  await mkdir(config.DATA_DIR, { recursive: true });
  const logFile = path.resolve(config.DATA_DIR, 'demo.log');
  const log = createLogger(config.LOG_LEVEL, createWriteStream(logFile, { flags: 'a', mode: 0o600 }));
  const startedAt = performance.now();
  const { deps, server } = await startService(config, log);
  try {
    signal.throwIfAborted();
    say(`The service runs at ${paint('cyan', server.baseUrl)}, up in ${seconds(startedAt)}; its log is ${logFile}`);
    const access = await openAccess(deps, server);
    const results = await processCalls({ deps, access, signal });
    printReport(results);
    printAddresses(config, access);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    say();
    say('Stopping …');
    await server.stop();
    say('Stopped. The next start finds everything as it is now.');
  }
}

/** False if something is missing and cannot be installed. */
async function installTools(config: Config): Promise<boolean> {
  const hasOther =
    config.DEEPGRAM_API_KEY ??
    config.OPENAI_API_KEY ??
    config.OPENAI_BASE_URL ??
    listRecognisers(modelsFolder(config.DATA_DIR), config.SPEECH_MODEL)[0];
  const needsPocketsphinx =
    config.SPEECH_ENGINE === 'pocketsphinx' || (config.SPEECH_ENGINE === 'auto' && hasOther === undefined);
  const { missing } = await ensureTools({
    needed: [
      'ffmpeg',
      'ffprobe',
      'flite',
      ...(needsPocketsphinx ? (['pocketsphinx', 'pocketsphinxModel'] as const) : []),
    ],
    mayInstall: !flags['no-install'],
    say,
  });
  if (missing.length === 0) return true;
  say('Nothing was started. Install them, then start the demo again.');
  process.exitCode = 1;
  return false;
}

async function startService(config: Config, log: Logger): Promise<{ deps: Deps; server: RunningServer }> {
  const deps = await buildDeps(config, log);
  try {
    const server = await serve({ app: await buildApp(deps), deps });
    return { deps, server };
  } catch (error) {
    await deps.close();
    throw error;
  }
}

/** Two organizations with a token each, stored in a file for scripts. */
async function openAccess(deps: Deps, { baseUrl }: RunningServer): Promise<DemoFile> {
  const { DATA_DIR } = deps.config;
  const known = await readDemoFile(DATA_DIR);
  const first = await openOrganization(deps, { plan: serviceDesk, known });
  const otherOrg = await openOrganization(deps, { plan: clinic, known: known?.otherOrg });
  const { orgId, projectId, token } = first;
  const access = { baseUrl, orgId, projectId, token, otherOrg, ...signInOf(deps.config, baseUrl) };
  await writeDemoFile(DATA_DIR, access);
  return access;
}

type ProcessOptions = { deps: Deps; access: DemoFile; signal: AbortSignal };

async function processCalls({ deps, access, signal }: ProcessOptions): Promise<CallResult[]> {
  const folder = path.resolve(deps.config.DATA_DIR, 'demo');
  const agentAccess = { ...access, token: await tokenOf(deps, access.orgId, agent.email) };
  const agents = { [agent.name]: createClient({ baseUrl: access.baseUrl, access: agentAccess, signal }) };
  await watchCalls(createClient({ baseUrl: access.baseUrl, access, signal }));
  const calls = [...serviceDeskCalls, ...clinicCalls];
  say(`${calls.length} calls of two organizations are spoken, uploaded over HTTP and analysed:`);
  say();
  const startedAt = performance.now();
  const progress = new Progress(calls);
  const run = (calls: DemoCall[], organization: Access) => (signal: AbortSignal) => {
    const client = createClient({ baseUrl: access.baseUrl, access: organization, signal });
    const onState = (call: DemoCall, state: CallState): void => {
      if (!signal.aborted) progress.update(call, state);
    };
    return runCalls({ calls, client, agents, folder, signal, onState });
  };
  const results = await together([run(serviceDeskCalls, access), run(clinicCalls, access.otherOrg)], signal);
  say();
  say(paint('dim', `Done in ${seconds(startedAt)}.`));
  return results.flat();
}

function printReport(results: CallResult[]): void {
  say();
  printTable(results);
  const explained = results.find(({ call }) => call.externalId === explainedCall);
  if (!explained?.analysis) return;
  say();
  printEvidence(explained, explained.analysis);
}

function printAddresses(config: Config, { baseUrl, orgId, token, otherOrg, issuer }: DemoFile): void {
  const rows = [
    ['Dashboard', baseUrl],
    ...signInLinks(config, baseUrl),
    ['API', `${baseUrl}/api/v1`],
    ['Documentation', `${baseUrl}/docs`],
    ['Health', `${baseUrl}/api/v1/health`],
    ['Sign-in (OpenID issuer)', issuer ?? 'not configured'],
    [serviceDesk.name, orgId],
    ['  its API token', token],
    [clinic.name, otherOrg.orgId],
    ['  its API token', otherOrg.token],
    ['All of this as JSON', demoFilePath(config.DATA_DIR)],
  ] as const;
  say();
  for (const [title, value] of rows) say(`${title.padEnd(24)} ${paint('cyan', value)}`);
  say();
  say('Try it:');
  say(`  curl -H "Authorization: Bearer ${token}" \\`);
  say(`       -H "X-Selected-Org-ID: ${orgId}" "${baseUrl}/api/v1/records?sort=qualityScore&order=asc"`);
  say();
  say(paint('bold', 'Ctrl-C stops everything.'));
}

/** One-click links, where the embedded provider trusts whoever uses this machine. */
function signInLinks({ OIDC_ISSUER, OIDC_EMBEDDED }: Config, baseUrl: string): [title: string, address: string][] {
  if (OIDC_ISSUER !== undefined || !OIDC_EMBEDDED) return [];
  const people = [
    { role: 'owner', email: serviceDesk.owner },
    ...serviceDesk.people.filter(({ role }) => role === 'supervisor' || role === 'agent'),
  ];
  return people.map(({ role, email }) => [`  as ${role}`, `${baseUrl}/sign-in?as=${encodeURIComponent(email)}`]);
}

function seconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
