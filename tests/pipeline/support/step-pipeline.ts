import path from 'node:path';
import { loadConfig } from '../../../src/config/config.ts';
import { connect } from '../../../src/db/client.ts';
import { createDatabase } from '../../../src/db/scope.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Observer } from '../../../src/pipeline/observer.ts';
import { createPipeline } from '../../../src/pipeline/assembly/pipeline.ts';
import { selectAnalyst } from '../../../src/providers/analysis/select.ts';
import type { Mail } from '../../../src/providers/mail/interface.ts';
import { createMailer } from '../../../src/providers/mail/select.ts';
import { createLocalStorage } from '../../../src/providers/object-storage/local.ts';
import { createTranscriber } from '../../../src/providers/speech/select.ts';
import { openSecretBox } from '../../../src/setup/secrets.ts';
import { openTestPool } from '../../support/heavy-work.ts';
import { reach, setKillPoint } from './kill-point.ts';
import { assignRoles } from '../../../src/scoring/roles/voices.ts';

/** Loaded by step-host.ts. */
const runStep = Observer.prototype.wrapStepHandler;
Observer.prototype.wrapStepHandler = async function wrapStepHandler(args) {
  const result = await runStep.call(this, args);
  // Whom a mail is for tells no point from another.
  reach(`${args.fn.id()}: ${args.stepInfo.options.id.replace(/:.*/, '')} done`);
  return result;
};

const config = loadConfig();
const { DATABASE_URL: databaseUrl = '', OPENAI_BASE_URL: openaiBaseUrl, DEEPGRAM_BASE_URL: deepgramBaseUrl } = config;
const connections = connect({ url: databaseUrl, poolSizeMax: config.DATABASE_POOL_SIZE });
const transcriber = createTranscriber({
  settings: { engine: 'deepgram', deepgramApiKey: 'key', deepgramBaseUrl },
  assignRoles,
});
const mailer = createMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, folder: config.DATA_DIR });
async function sendMail(mail: Mail): Promise<void> {
  await mailer.send(mail);
  reach('mail accepted');
}
const pipeline = createPipeline({
  config,
  log: createLogger(config.LOG_LEVEL),
  databaseUrl,
  db: createDatabase(connections),
  system: connections.system,
  heavyWork: openTestPool(),
  storage: createLocalStorage({ directory: path.join(config.DATA_DIR, 'objects') }),
  mailer: { send: sendMail },
  secrets: await openSecretBox(config),
  crm: { call: () => Promise.reject(new Error('No call here comes from a portal.')) },
  transcribe: transcriber.transcribe,
  analyst: selectAnalyst({ model: 'scripted', openaiBaseUrl, timeoutMs: 5000, windowTokens: 16_000 }),
  webhooks: { delaysMs: [100, 100, 100] },
});

let started: Promise<void> | undefined;
process.on('message', ({ killAt }: { killAt?: string }) => {
  setKillPoint(killAt);
  started ??= pipeline.start();
  process.send?.(`told ${killAt}`);
});
process.on('disconnect', () => process.exit(0));
process.send?.('loaded');
