import type { WebhookDelivery, WebhookWithSecret } from '../../src/domain/webhooks/schemas.ts';
import type { Json } from '../../src/trpc/examples.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/assembly/pipeline.ts';
import type { PipelineDeps } from '../../src/pipeline/dependencies.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import type { TestApp, TestMember } from './app.ts';

type Delivery = Json<WebhookDelivery>;

/** The pipeline of a service that was started without, with a schedule of its own. */
export async function startPipeline(t: TestApp, webhooks: PipelineDeps['webhooks']): Promise<Pipeline> {
  const { config, log, connections, services } = t.deps;
  const pipeline = createPipeline({
    config,
    log,
    databaseUrl: config.DATABASE_URL ?? '',
    db: services.db,
    system: connections.system,
    storage: services.storage,
    heavyWork: services.heavyWork,
    transcribe: () => Promise.reject(new Error('Every call here brings its transcript.')),
    secrets: services.secrets,
    mailer: { send: async () => {} },
    crm: { call: () => Promise.reject(new Error('No call here comes from a portal.')) },
    ...(webhooks && { webhooks }),
  });
  await pipeline.start();
  return pipeline;
}

export async function createWebhook(
  t: TestApp,
  member: TestMember,
  payload: { url: string; events: string[]; enabled?: boolean },
): Promise<Json<WebhookWithSecret>> {
  const { status, body } = await t.as(member, { method: 'POST', url: '/api/v1/webhooks', payload });
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body.data;
}

export async function deliveriesOf(t: TestApp, member: TestMember, webhookId: string): Promise<Delivery[]> {
  const { body } = await t.as(member, { url: `/api/v1/webhooks/${webhookId}/deliveries?pageSize=100` });
  return body.data;
}

/** The only delivery of the webhook, once it looks as it should. */
export async function deliveryThat(
  t: TestApp,
  { member, webhookId }: { member: TestMember; webhookId: string },
  isRight: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  return eventually(async () => {
    const [delivery] = await deliveriesOf(t, member, webhookId);
    return delivery && isRight(delivery) ? delivery : undefined;
  });
}
