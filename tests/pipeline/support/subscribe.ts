import { expect } from 'vitest';
import type { FaultScene } from './fault-scene.ts';

/** Has every completed call told to an endpoint, and by mail. */
export async function subscribe(
  { headers }: Pick<FaultScene, 'headers'>,
  { baseUrl, url }: { baseUrl: string; url: string },
): Promise<void> {
  const post = async (path: string, body: object): Promise<number> => {
    const { status } = await fetch(`${baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return status;
  };
  const condition = { field: 'duration', operator: 'gte', value: 0 };
  const alert = { name: 'Every call', condition, actions: ['email'], cooldownSeconds: 0 };
  expect([await post('/webhooks', { url, events: ['record.completed'] }), await post('/alerts', alert)]).toEqual([
    201, 201,
  ]);
}
