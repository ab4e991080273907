import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProfile } from '../../src/domain/profiles/examples.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createContract, operationsOf, type Contract, type OpenApiJson } from './openapi-contract.ts';

let t: TestApp;
let owner: TestMember;
let document: OpenApiJson;
let contract: Contract;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  document = (await t.app.inject('/openapi.json')).json();
  contract = createContract(document);
});
afterAll(() => t.close());

const ingest = (change: object) => ({
  externalId: 'rules',
  projectId: owner.projectId,
  recordingUrl: 'https://recordings.example.com/a.mp3',
  ...change,
});
const alert = (change: object) => ({
  name: 'Rules',
  condition: { field: 'qualityScore', operator: 'lt', value: 60 },
  ...change,
});
const webhook = (change: object) => ({ url: 'https://hooks.example.com/a', events: ['record.completed'], ...change });
/** The profile of the example with another check in it. */
const profile = (check: object) => {
  const copy = structuredClone(newProfile) as { name: string; categories: { checks: object[] }[] };
  copy.name = `Rules ${Math.random()}`;
  copy.categories[0]?.checks.splice(0, 1, { key: 'tried', title: 'Tried', weight: 1, ...check });
  return copy;
};
const phrases = { kind: 'phrase', phrases: ['hello there'] };
const languages = 'aa bb cc dd ee ff gg hh ii jj kk ll mm'.split(' ');
const translations = (count: number) =>
  Object.fromEntries(languages.slice(0, count).map((each) => [each, { phrases: ['hello there'] }]));

type Rule = {
  what: string;
  operationId: string;
  place: string;
  refused: () => unknown;
  taken: () => unknown;
};

const rules: Rule[] = [
  ...['from', 'to'].map((place) => ({
    what: `a day that is none as ${place}`,
    operationId: 'listRecords',
    place,
    refused: () => '2026-02-30',
    taken: () => '2026-02-28',
  })),
  {
    what: 'a word as from',
    operationId: 'listAnalyses',
    place: 'from',
    refused: () => 'yesterday',
    taken: () => '2026-11-22T10:00Z',
  },
  {
    what: 'a page beyond the numbers that are exact',
    operationId: 'listProjects',
    place: 'page',
    refused: () => 2 ** 53,
    taken: () => 2 ** 53 - 1,
  },
  {
    what: 'an organization without a letter',
    operationId: 'listProjects',
    place: 'X-Selected-Org-ID',
    refused: () => '',
    taken: () => owner.orgId,
  },
  {
    what: 'an address of mail that is none',
    operationId: 'inviteUser',
    place: 'body',
    refused: () => ({ email: 'nobody', role: 'agent' }),
    taken: () => ({ email: 'rules@example.com', role: 'agent' }),
  },
  {
    what: 'an event that is named twice',
    operationId: 'createWebhook',
    place: 'body',
    refused: () => webhook({ events: ['record.completed', 'record.completed'] }),
    taken: () => webhook({ events: ['record.completed', 'record.failed'] }),
  },
  {
    what: 'a webhook that is no address of the web',
    operationId: 'createWebhook',
    place: 'body',
    refused: () => webhook({ url: 'ftp://hooks.example.com/a' }),
    taken: () => webhook({ url: 'HTTPS://hooks.example.com/b' }),
  },
  {
    what: 'an action that is named twice',
    operationId: 'createAlert',
    place: 'body',
    refused: () => alert({ actions: ['email', 'email'] }),
    taken: () => alert({ actions: ['email', 'webhook'] }),
  },
  {
    what: 'a recording that is no address of the web',
    operationId: 'ingestRecord',
    place: 'body',
    refused: () => ingest({ recordingUrl: 'ftp://recordings.example.com/a.mp3' }),
    taken: () => ingest({}),
  },
  {
    what: 'a transcript that is a number',
    operationId: 'ingestRecord',
    place: 'body',
    refused: () => ingest({ externalId: 'number', transcript: 1 }),
    taken: () => ingest({ externalId: 'text', transcript: 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n' }),
  },
  {
    what: 'a channel map that mixes channels and roles',
    operationId: 'ingestRecord',
    place: 'body',
    refused: () => ingest({ externalId: 'mixed', channelMap: { 0: 'agent', customer: 1 } }),
    taken: () => ingest({ externalId: 'by-role', channelMap: { agent: 0, customer: 1 } }),
  },
  {
    what: 'a channel map with a role that there is not',
    operationId: 'ingestRecord',
    place: 'body',
    refused: () => ingest({ externalId: 'role', channelMap: { 0: 'boss' } }),
    taken: () => ingest({ externalId: 'by-channel', channelMap: { 0: 'agent', 1: 'customer' } }),
  },
  {
    what: 'money with five decimals',
    operationId: 'updateBudget',
    place: 'body',
    refused: () => ({ budgetLimit: 0.00001 }),
    taken: () => ({ budgetLimit: 19.9901 }),
  },
  {
    what: 'a limit without an end',
    operationId: 'createProfile',
    place: 'body',
    refused: () => profile({ kind: 'metric', limits: [{ metric: 'agentTalkPercent', pass: {} }] }),
    taken: () => profile({ kind: 'metric', limits: [{ metric: 'agentTalkPercent', pass: { max: 60 } }] }),
  },
  {
    what: 'a phrase in thirteen more languages',
    operationId: 'createProfile',
    place: 'body',
    refused: () => profile({ ...phrases, translations: translations(13) }),
    taken: () => profile({ ...phrases, translations: translations(12) }),
  },
  {
    what: 'a part of the call without its number of turns',
    operationId: 'createProfile',
    place: 'body',
    refused: () => profile({ ...phrases, where: { part: 'firstTurns' } }),
    taken: () => profile({ ...phrases, where: { part: 'firstTurns', turns: 2 } }),
  },
];

async function statusOf({ operationId, place }: Rule, value: unknown): Promise<number> {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
  const url = new URL(`http://x/api/v1${found?.path.replace('{orgId}', owner.orgId)}`);
  const request = {
    method: found?.method as 'POST',
    headers: {},
    payload: place === 'body' ? (value as object) : undefined,
  };
  if (place === 'X-Selected-Org-ID') request.headers = { 'x-selected-org-id': String(value) };
  else if (place !== 'body') url.searchParams.set(place, String(value));
  return (await t.as(owner, { ...request, url: url.pathname + url.search })).status;
}

describe('what the service refuses, the document refuses', () => {
  it.each(rules)('$what ($operationId $place)', async (rule) => {
    const { operationId, place, refused, taken } = rule;
    expect(await statusOf(rule, refused())).toBe(400);
    expect(contract.complaints(operationId, place, refused())).not.toEqual([]);
    expect(contract.complaints(operationId, place, taken())).toEqual([]);
    expect(await statusOf(rule, taken())).toBeLessThan(300);
  });
});

type Link = { operationId: string; parameters: Record<string, string> };
type WithLinks = { links?: Record<string, Link> };

describe('the links of the document', () => {
  it('lead to operations that there are, with everything in their path', () => {
    const known = new Map(operationsOf(document).map(({ path, operation }) => [operation.operationId, path]));
    const links = operationsOf(document).flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap((response) => Object.values((response as WithLinks).links ?? {})),
    );
    expect(links.length).toBeGreaterThan(40);
    for (const { operationId, parameters } of links) {
      const needed = [...(known.get(operationId) ?? 'unknown').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(`${operationId} ${Object.keys(parameters)}`).toBe(`${operationId} ${needed}`);
    }
  });

  it('lead from what is made to what reads, changes and deletes it', () => {
    const linksOf = (operationId: string, status: number): string[] => {
      const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
      return Object.keys((found?.operation.responses[status] as WithLinks | undefined)?.links ?? {});
    };
    expect(linksOf('createProject', 201)).toEqual(
      expect.arrayContaining(['getProject', 'updateProject', 'deleteProject']),
    );
    expect(linksOf('uploadRecord', 201)).toEqual(expect.arrayContaining(['getRecord', 'deleteRecord']));
    expect(linksOf('reanalyze', 202)).toEqual(expect.arrayContaining(['getAnalysis', 'getRecord', 'getProfile']));
    expect(linksOf('createAnnotation', 201)).toEqual(expect.arrayContaining(['getAnnotation', 'getAnalysis']));
  });
});
