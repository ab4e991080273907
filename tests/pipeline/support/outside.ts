import { startMailServer } from '../../support/mail-server.ts';
import { startModelServer } from '../../support/model-server.ts';
import type { Use } from './doubles.ts';
import { sleep } from './hosts.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Said with its number in every call that is to be told from the others. */
export const ticket = 'Your ticket has number';

export type Uses = { provider: Use[]; mails: Use[]; webhooks: Use[] };

type Options = {
  /** Waited for before each of them answers. */
  hold?: (kind: keyof Uses) => Promise<void>;
  /** How long the model takes: by default long enough to be killed meanwhile. */
  thinkMs?: () => number;
};

/** Whom a service pays and tells: a language model, people, an endpoint. Each instance has a name that the first two see. */
export async function startOutside({ hold = async () => {}, thinkMs = () => 300 }: Options = {}) {
  const receiver = await startReceiver((res) => void hold('webhooks').then(() => res.writeHead(204).end()));
  const mails = await startMailServer();
  mails.hold = () => hold('mails');
  const written = JSON.stringify({ answers: [], summary: [], improvements: [], topics: [], actionItems: [] });
  const asked: Use[] = [];
  const model = await startModelServer(async ({ user, turns, headers, lines }) => {
    const isTold = lines.some(({ text }) => text.includes(ticket));
    const by = headers.authorization?.replace('Bearer ', '') ?? null;
    const use = { what: `${turns}: ${user}`, by, at: Date.now(), until: Number.POSITIVE_INFINITY };
    if (isTold) asked.push(use);
    await sleep(thinkMs());
    if (isTold) await hold('provider');
    use.until = Date.now();
    return { text: written };
  });
  const envOf = (who: string): Record<string, string> => ({
    SPEECH_ENGINE: 'pocketsphinx',
    ANALYSIS_ENGINE: 'model',
    ANALYSIS_MODEL: 'scripted',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: who,
    SMTP_URL: mails.url,
    MAIL_FROM: `${who}@example.com`,
  });
  const uses = (): Uses => ({
    provider: [...asked],
    mails: mails.received.map(({ from, mail, at }) => ({
      what: mail.messageId ?? '',
      by: from.split('@')[0] ?? null,
      at,
      until: at,
    })),
    webhooks: receiver.received.map(({ headers, at }) => ({
      what: headers['webhook-id'] ?? '',
      by: null,
      at,
      until: at,
    })),
  });
  const close = async (): Promise<void> => {
    await Promise.all([receiver.close(), mails.stop(), model.close()]);
  };
  return { receiver, envOf, uses, close };
}
