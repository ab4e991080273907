import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { InjectOptions } from 'fastify';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as schema from '../../src/db/schema/index.ts';
import { objectShape } from '../../src/http/coerce.ts';
import { appRouter } from '../../src/api/router.ts';
import { formBytes, formType } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { openStored, type Stored } from '../support/stored.ts';
import { operations, readAnswer, requestOf, surfacesOf, type Ids, type Operation, type Surface } from './operations.ts';
import { createResources } from './resources.ts';

/** Every name that a row has, in the words of the code and of the database, and what JavaScript reads into others. */
const names = [
  ...new Set([
    ...Object.values(schema)
      .filter((table) => is(table, PgTable))
      .flatMap((table) => Object.entries(getTableColumns(table)).flatMap(([key, { name }]) => [key, name])),
    'id',
    'orgId',
    '__proto__',
    'constructor',
    'prototype',
  ]),
];

const matrix = operations.flatMap((operation) =>
  surfacesOf(operation).map((surface) => ({ operation, surface, title: `${operation.name} (${surface})` })),
);

let t: TestApp;
let stored: Stored;
let owner: TestMember;
/** One set serves all, since none of it may change. */
let ids: Ids;
/** What is stored, as of the last look. */
let held: Record<string, string>;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  stored = openStored(t);
  owner = await t.createOrg();
  ids = await createResources(t, owner);
  held = await stored.read();
});
afterAll(async () => {
  await stored.close();
  await t.close();
});

/** Compares with what was stored before, not at first: a fault is told once, where it is. */
async function storingNothing(work: () => Promise<void>): Promise<void> {
  const before = held;
  try {
    await work();
  } finally {
    held = await stored.read();
  }
  expect(held).toEqual(before);
}

/** The names that the operation does not take where they are sent. Over REST, what stands in the path is in no body. */
function undeclaredIn({ rest = '', rpc }: Operation, surface: Surface): string[] {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.core.$ZodType[] } }>;
  const inputs = procedures[rpc ?? '']?._def.inputs ?? [];
  const declared = new Set(inputs.flatMap((input) => Object.keys(objectShape(input))));
  const inPath = surface === 'rest' ? [...rest.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) : [];
  return names.filter((name) => !declared.has(name) || inPath.includes(name));
}

/** The request with a value under each of the names: plausible for some of them, so that something could come of it. */
function withNames(request: InjectOptions, added: string[]): InjectOptions {
  const values: [string, unknown][] = added.map((name) => [name, /count|version|ms$/i.test(name) ? 7 : 'x']);
  const text = (given: unknown): string =>
    JSON.stringify(Object.fromEntries([...values, ...Object.entries(given as object)]));
  const url = String(request.url);
  if (url === '/mcp') {
    const { params, ...message } = request.payload as { params: { name: string; arguments: object } };
    const payload = `{"params":{"name":"${params.name}","arguments":${text(params.arguments)}},${JSON.stringify(message).slice(1)}`;
    return { ...request, payload };
  }
  if (url.startsWith('/api/trpc/')) {
    const sent = request.method === 'GET' ? (request.query as { input: string }).input : String(request.payload);
    const wrapped = `{"json":${text(JSON.parse(sent).json)}}`;
    return request.method === 'GET' ? { ...request, query: { input: wrapped } } : { ...request, payload: wrapped };
  }
  if (request.method === 'POST' || request.method === 'PATCH') {
    const headers = { ...request.headers, 'content-type': 'application/json' };
    return { ...request, headers, payload: text(request.payload) };
  }
  const query = [...values.map(([name, value]) => [name, String(value)]), ...Object.entries(request.query ?? {})];
  const { query: _query, ...others } = request;
  return { ...others, url: `${url}?${new URLSearchParams(query as [string, string][]).toString()}` };
}

/** An answer names so many; those that no field may have at all are refused one at a time. */
function batchesOf(added: string[]): string[][] {
  const inherited = added.filter((name) => ['__proto__', 'constructor', 'prototype'].includes(name));
  const others = added.filter((name) => !inherited.includes(name));
  const starts = Array.from({ length: Math.ceil(others.length / 90) }, (_, index) => index * 90);
  return [...starts.map((start) => others.slice(start, start + 90)), ...inherited.map((name) => [name])];
}

type Details = { path: string; message: string }[];

async function ask(
  request: InjectOptions,
  surface: Surface = 'rest',
): Promise<{ status: number; code: string | undefined; details: Details }> {
  const response = await t.app.inject({ ...request, headers: { ...request.headers, ...owner.headers } });
  const answer = readAnswer(surface, response);
  const body = answer.body === '' ? {} : JSON.parse(answer.body);
  const error = body.error?.data ?? body.error?.json?.data ?? body.error;
  return { status: answer.status, code: error?.code, details: error?.details ?? [] };
}

const sentAsJson = matrix.filter(({ operation }) => !operation.form);

describe('a name that an operation does not take', () => {
  it('is tried for every column of every table', () => {
    expect(names.length).toBeGreaterThan(250);
    expect(names).toEqual(expect.arrayContaining(['channelMap', 'triggerCount', 'retainedSince', 'created_at']));
  });

  it.each(sentAsJson)('is refused by name, and nothing is stored: $title', async ({ operation, surface }) => {
    const added = undeclaredIn(operation, surface);
    const request = requestOf(operation, surface, ids);
    await storingNothing(async () => {
      for (const names of batchesOf(added)) {
        const { status, code, details } = await ask(withNames(request, names), surface);
        expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
        expect(names.filter((name) => !details.some(({ path }) => path === name))).toEqual([]);
      }
    });
  });

  it('is refused as a part of an upload, and nothing is stored', async () => {
    const url = '/api/v1/records/upload';
    const headers = { 'content-type': formType };
    await storingNothing(async () => {
      for (const name of names) {
        if (name === 'metadata' || name === 'projectId') continue;
        const parts = [
          { name: 'projectId', content: owner.projectId },
          { name, content: 'x' },
        ];
        const { status, details } = await ask({ method: 'POST', url, headers, payload: formBytes(parts) });
        expect({ name, status, path: details[0]?.path }).toEqual({ name, status: 400, path: name });
      }
    });
  });
});
