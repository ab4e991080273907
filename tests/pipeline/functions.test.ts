import { type FailureEventArgs, NonRetriableError, RetryAfterError, StepError, eventType, staticSchema } from 'inngest';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, hostKinds, sleep, type BuildFunctions, type Host } from './support/hosts.ts';

const order = eventType('test/order', { schema: staticSchema<{ id: string; orgId?: string }>() });

// What durable functions may rely on, whoever runs them.
describe.each(hostKinds)('functions on the $name', ({ name, isAvailable, start }) => {
  describe.runIf(isAvailable)('when it is there', () => {
    let host: Host | undefined;
    const begin = async (build: BuildFunctions): Promise<Host> => (host = await start(build));

    afterEach(async () => {
      await host?.stop();
      host = undefined;
    });

    it('runs each step once, in order, and hands results on as JSON', async () => {
      const effects: string[] = [];
      let output: unknown;
      const { client } = await begin((client) => [
        client.createFunction({ id: 'steps', triggers: [order] }, async ({ event, step }) => {
          const one = await step.run('one', () => (effects.push('one'), 1));
          const two = await step.run('two', () => (effects.push('two'), { at: new Date(0), sum: one + 1 }));
          const same = [];
          for (let n = 0; n < 3; n += 1) same.push(await step.run('same', () => (effects.push(`same${n}`), n)));
          output = { two, same, id: event.data.id };
        }),
      ]);
      await client.send(order.create({ id: 'a' }));
      await eventually(() => output);
      expect(output).toEqual({ two: { at: '1970-01-01T00:00:00.000Z', sum: 2 }, same: [0, 1, 2], id: 'a' });
      expect(effects).toEqual(['one', 'two', 'same0', 'same1', 'same2']);
    });

    it('retries a step that throws and does not repeat the ones before it', async () => {
      const effects: string[] = [];
      let output: unknown;
      const { client } = await begin((client) => [
        client.createFunction({ id: 'flaky', retries: 3, triggers: [order] }, async ({ step }) => {
          await step.run('before', () => effects.push('before'));
          const value = await step.run('flaky', () => {
            effects.push('flaky');
            if (effects.length < 4) throw new RetryAfterError('not yet', 100);
            return effects.length;
          });
          await step.run('after', () => effects.push('after'));
          output = value;
        }),
      ]);
      await client.send(order.create({ id: 'a' }));
      await eventually(() => output);
      expect(effects).toEqual(['before', 'flaky', 'flaky', 'flaky', 'after']);
    });

    it('waits as long as RetryAfterError says', async () => {
      const times: number[] = [];
      const { client } = await begin((client) => [
        client.createFunction({ id: 'later', retries: 1, triggers: [order] }, async ({ step }) => {
          await step.run('limited', () => {
            times.push(Date.now());
            // An instant, as our functions say it: seconds are counted from the last whole one by servers.
            if (times.length === 1) throw new RetryAfterError('slow down', new Date(Date.now() + 2000));
          });
        }),
      ]);
      await client.send(order.create({ id: 'a' }));
      await eventually(() => times[1]);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1900);
    });

    it('does not retry NonRetriableError, and tells the failure handler why', async () => {
      let attempts = 0;
      let seen: unknown;
      const { client } = await begin((client) => [
        client.createFunction(
          {
            id: 'poison',
            retries: 5,
            triggers: [order],
            onFailure: ({ error, event }: FailureEventArgs) => {
              const cause = error.cause instanceof Error ? error.cause.name : undefined;
              seen = { message: error.message, cause, id: event.data.event.data?.['id'] };
            },
          },
          async ({ step }) => {
            await step.run('bad', () => {
              attempts += 1;
              throw new NonRetriableError('cannot be read', {
                cause: Object.assign(new Error('why'), { name: 'BAD' }),
              });
            });
          },
        ),
      ]);
      await client.send(order.create({ id: 'p' }));
      await eventually(() => seen);
      expect(attempts).toBe(1);
      expect(seen).toEqual({ message: 'cannot be read', cause: 'BAD', id: 'p' });
    });

    it('lets the function catch a step that failed for good', async () => {
      let output: unknown;
      const { client } = await begin((client) => [
        client.createFunction({ id: 'catches', retries: 0, triggers: [order] }, async ({ step }) => {
          try {
            await step.run('fails', () => {
              throw new Error('no');
            });
          } catch (error) {
            output = await step.run('mends', () => `${error instanceof StepError}: ${(error as Error).message}`);
          }
        }),
      ]);
      await client.send(order.create({ id: 'a' }));
      expect(await eventually(() => output)).toBe('true: no');
    });

    it('sleeps, and goes on where it stopped', async () => {
      const times: number[] = [];
      const { client } = await begin((client) => [
        client.createFunction({ id: 'sleeper', triggers: [order] }, async ({ step }) => {
          await step.run('before', () => times.push(Date.now()));
          await step.sleep('nap', '1200ms');
          await step.run('after', () => times.push(Date.now()));
        }),
      ]);
      await client.send(order.create({ id: 'a' }));
      await eventually(() => times[1]);
      expect(times).toHaveLength(2);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1000);
    });

    it('invokes another function and takes its result, or its failure', async () => {
      let output: unknown;
      const { client } = await begin((client) => {
        const child = client.createFunction(
          { id: 'child', retries: 0, triggers: [{ event: 'test/child' }] },
          async ({ event, step }) => {
            const n = Number(event.data['n']);
            if (n < 0) throw new NonRetriableError('negative');
            return step.run('double', () => n * 2);
          },
        );
        const parent = client.createFunction({ id: 'parent', triggers: [order] }, async ({ step }) => {
          const doubled = await step.invoke('call', { function: child, data: { n: 4 } });
          const failed = await step
            .invoke('call-badly', { function: child, data: { n: -1 } })
            .catch((error: Error) => error.message);
          output = { doubled, failed };
        });
        return [child, parent];
      });
      await client.send(order.create({ id: 'a' }));
      expect(await eventually(() => output)).toEqual({ doubled: 8, failed: 'negative' });
    });

    it('runs parallel steps once each and joins them', async () => {
      const effects: string[] = [];
      let output: unknown;
      const { client } = await begin((client) => [
        client.createFunction({ id: 'parallel', triggers: [order] }, async ({ step }) => {
          const parts = await Promise.all(
            ['a', 'b', 'c'].map((name) =>
              step.run(name, async () => {
                effects.push(name);
                await sleep(20);
                return name.toUpperCase();
              }),
            ),
          );
          const end = await step.run('end', () => (effects.push('end'), parts.join('')));
          output = end;
        }),
      ]);
      await client.send(order.create({ id: 'a' }));
      expect(await eventually(() => output)).toBe('ABC');
      expect(effects.toSorted()).toEqual(['a', 'b', 'c', 'end']);
    });

    it('takes an event with a known id only once', async () => {
      const taken: string[] = [];
      const { client } = await begin((client) => [
        client.createFunction(
          { id: 'by-id', triggers: [order] },
          async ({ event }) => void taken.push(`id ${event.data.id}`),
        ),
      ]);
      const id = randomUUID();
      const event = order.create({ id: 'a', orgId: 'o' }, { id });
      await client.send([event, event]);
      await client.send(event);
      await client.send(order.create({ id: 'a', orgId: 'o' }));
      await eventually(() => (taken.length >= 2 ? true : undefined));
      await sleep(300);
      expect(taken).toEqual(['id a', 'id a']);
    });

    it.each([
      ['NUL', 'a\0b'],
      ['too large', 'x'.repeat(300_000)],
    ])('fails a step and a run whose result is kept by some engines alone (%s)', async (word, result) => {
      const seen: string[] = [];
      const onFailure = ({ error }: FailureEventArgs) => void seen.push(error.message);
      const { client } = await begin((client) => [
        client.createFunction({ id: 'in-step', triggers: [order], onFailure }, async ({ step }) => {
          await step.run('odd', () => ({ result }));
        }),
        client.createFunction({ id: 'in-run', triggers: [order], onFailure }, async () => ({ result })),
      ]);
      await client.send(order.create({ id: 'a' }));
      await eventually(() => seen[1]);
      expect(seen.toSorted()).toEqual([
        expect.stringMatching(new RegExp(`^The function "in-run" .*${word}`)),
        expect.stringMatching(new RegExp(`^The step "odd" .*${word}`)),
      ]);
    });

    it('runs no event of the future now: a server waits, our engine does not take it', async () => {
      const ranAt: number[] = [];
      const { client } = await begin((client) => [
        client.createFunction({ id: 'future', triggers: [order] }, async () => void ranAt.push(Date.now())),
      ]);
      const ts = Date.now() + 3000;
      const isTaken = await client.send(order.create({ id: 'a' }, { ts })).then(
        () => true,
        () => false,
      );
      expect(isTaken).toBe(name === 'Inngest server');
      const soonest = isTaken ? await eventually(() => ranAt[0]) : ts;
      expect(soonest).toBeGreaterThanOrEqual(ts - 50);
      expect(ranAt).toHaveLength(isTaken ? 1 : 0);
    });

    it('takes no event of more than three megabytes', async () => {
      const { client } = await begin((client) => [
        client.createFunction({ id: 'never', triggers: [order] }, async () => {}),
      ]);
      await expect(client.send(order.create({ id: 'x'.repeat(3 * 1024 * 1024) }))).rejects.toThrow('over the max size');
    });

    it('keeps to the limit of each key, whose backlog holds up no other', async () => {
      const under: Record<string, number> = {};
      const most: Record<string, number> = {};
      const ended: Record<string, number> = { odd: 0, even: 0 };
      const { client } = await begin((client) => [
        client.createFunction(
          { id: 'limited', concurrency: [{ key: 'event.data.orgId', limit: 2 }], triggers: [order] },
          async ({ event, step }) => {
            const { orgId: org = '' } = event.data;
            await step.run('work', async () => {
              under[org] = (under[org] ?? 0) + 1;
              most[org] = Math.max(most[org] ?? 0, under[org]);
              await sleep(40);
              // Held until the others are through: without a limit, all of this key would be under way by then.
              if (org === 'odd') await eventually(() => ended['even'] === 8 || undefined);
              under[org] -= 1;
            });
            ended[org] = (ended[org] ?? 0) + 1;
          },
        ),
      ]);
      await client.send(
        Array.from({ length: 16 }, (_, n) => order.create({ id: `${n}`, orgId: n % 2 ? 'odd' : 'even' })),
      );
      await eventually(() => (ended['odd'] === 8 ? true : undefined), 30_000);
      expect(most).toEqual({ odd: expect.toBeOneOf([1, 2]), even: expect.toBeOneOf([1, 2]) });
    });
  });
});
