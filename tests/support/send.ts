import type { InjectOptions } from 'fastify';
import type { TestApp, TestMember } from './app.ts';

/** A request that prepares a test: throws with what was answered unless it succeeds. */
export async function send(t: TestApp, member: TestMember, request: InjectOptions): ReturnType<TestApp['as']> {
  const answer = await t.as(member, request);
  if (answer.status >= 200 && answer.status < 300) return answer;
  const asked = `${request.method ?? 'GET'} ${String(request.url)}`;
  throw new Error(`${asked} was to prepare the test, but answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
