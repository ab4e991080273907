import * as fc from 'fast-check';
import { mutated, nastyText, nastyValue, numberTooLarge, valueOf, type FuzzContext } from './fuzz-values.ts';
import type { OperationJson } from './openapi-contract.ts';
import { boundary, formBytes, formType, wavHeader, type Part } from './upload-support.ts';

type Operation = { method: string; path: string; operation: OperationJson };
export type FuzzRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload: Buffer | undefined;
  isOverSocket: boolean;
};
type Body = { type: string | undefined; bytes: Buffer | undefined };
type Parameter = { name: string; in: string; schema: Record<string, unknown> };

const socketShare = 8;

/** Requests to one operation: most of them nearly right, each with something that nobody would send. */
export function requestsTo(each: Operation, context: FuzzContext, sender: Record<string, string>) {
  const parameters = (each.operation.parameters ?? []).map((parameter) => context.resolve(parameter) as Parameter);
  return fc
    .record({
      path: pathOf(each.path, context),
      query: queryOf(
        parameters.filter(({ in: place }) => place === 'query'),
        context,
      ),
      headers: headersOf(parameters),
      credential: credentialOf(sender),
      body: bodyOf(each, context),
      isOverSocket: fc.nat({ max: socketShare }).map((number) => number === 0),
    })
    .map(({ path, query, headers, credential, body, isOverSocket }): FuzzRequest => {
      const type: Record<string, string> = body.type === undefined ? {} : { 'content-type': body.type };
      return {
        method: each.method,
        url: `/api/v1${path}${query}`,
        headers: { ...credential, ...headers, ...type },
        payload: body.bytes,
        isOverSocket,
      };
    });
}

/** Percent-encoded as UTF-8, which lone surrogates have none in. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

const brokenEncodings = ['%', '%zz', '%ff', '%00', '%2F', '%c0%ae', '+', ';a=b', '%2e%2e%2f', "''"];

function pathOf(path: string, { pools }: FuzzContext): fc.Arbitrary<string> {
  const parts = path.split('/').map((segment, index, segments): fc.Arbitrary<string> => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined) return fc.constant(segment);
    const owner =
      segments[index - 1]
        ?.replace(/(s)es$/, '$1is')
        .replace(/ies$/, 'y')
        .replace(/s$/, '') ?? '';
    const known = pools.get(name) ?? pools.get(`${owner}Id`) ?? pools.get(`${segments[index - 1]?.slice(0, -2)}isId`);
    const others = [...pools.values()].flat();
    return fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...(known ?? others)) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
      { weight: 1, arbitrary: fc.constantFrom(...brokenEncodings) },
      // A client resolves these before it sends them.
      { weight: 2, arbitrary: nastyText.filter((text) => !/^\.*$/.test(text)).map(encode) },
    );
  });
  return fc.tuple(...parts).map((segments) => segments.join('/'));
}

function queryOf(parameters: Parameter[], context: FuzzContext): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) => {
    const valid = valueOf(schema, context, name).map((value) => `${name}=${encode(String(value))}`);
    const nasty = nastyText.map((text) => `${name}=${encode(text)}`);
    const odd = fc.constantFrom(
      `${name}`,
      `${name}=`,
      `${name}[]=1`,
      `${name}[a]=1`,
      `${name}=1&${name}=2`,
      `${name}=%`,
    );
    return fc.oneof(
      { weight: 6 + 4 * parameters.length, arbitrary: fc.constant('') },
      { weight: 4, arbitrary: valid },
      { weight: 2, arbitrary: nasty },
      { weight: 1, arbitrary: odd },
    );
  });
  const unknown = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.tuple(nastyText, nastyText).map(([key, value]) => `${encode(key)}=${encode(value)}`) },
  );
  return fc.tuple(...pairs, unknown).map((given) => {
    const query = given.filter((pair) => pair !== '').join('&');
    return query === '' ? '' : `?${query}`;
  });
}

/** What the wire can carry in a header: visible characters, spaces, and bytes of whatever encoding. */
const headerText = fc
  .oneof(nastyText, fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) }))
  .map((text) => [...text].filter((char) => /[\t\x20-\x7e\x80-\xff]/.test(char)).join(''))
  .map((text) => text.trim().slice(0, 1000));

const headerValues: Record<string, string[]> = {
  'x-request-id': ['trace-1', 'a'.repeat(128), 'a'.repeat(129), 'a b', '../x', 'é'],
  accept: ['*/*', 'application/json', 'text/html', 'application/xml;q=0', 'image/*, */*;q=0.1', '', ';'],
  'accept-encoding': ['gzip', 'identity;q=0, *;q=0', 'br'],
  'accept-language': ['ru', '*', '-'],
  'idempotency-key': ['key', '', 'k'.repeat(255), 'k'.repeat(256), ' ', 'é'],
  'if-none-match': ['*', '"x"', 'W/"x"', '"', ',,,'],
  'if-match': ['*', '"x"'],
  range: [
    'bytes=0-0',
    'bytes=100-199',
    'bytes=-5',
    'bytes=-0',
    'bytes=99999999999999999999-',
    'bytes=5-1',
    'bytes=0-1,2-3',
    'x=1-2',
    'bytes=',
  ],
  'if-range': ['"x"', 'Wed, 21 Oct 2015 07:28:00 GMT', ''],
  origin: ['null', 'https://evil.example', 'x'],
  cookie: ['__Host-session=x', '=', ';;;', '__Host-session=x; __Host-session=y', 'a=%'],
  'x-forwarded-for': ['127.0.0.1', 'x', '1.2.3.4, 5.6.7.8'],
  'x-http-method-override': ['DELETE'],
};

function headersOf(parameters: Parameter[]): fc.Arbitrary<Record<string, string>> {
  const documented = parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name.toLowerCase());
  const names = new Set([...Object.keys(headerValues), ...documented]);
  names.delete('x-selected-org-id');
  const fields = [...names].map((name): [string, fc.Arbitrary<string | undefined>] => [
    name,
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      // Those that the operation knows more often than those that it has to ignore.
      { weight: documented.includes(name) ? 5 : 1, arbitrary: fc.constantFrom(...(headerValues[name] ?? ['x'])) },
      { weight: 1, arbitrary: headerText },
    ),
  ]);
  return fc.record(Object.fromEntries(fields)).map(withoutUndefined);
}

function credentialOf(sender: Record<string, string>): fc.Arbitrary<Record<string, string>> {
  const bad = headerText.map((text) => text || 'x');
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(sender) },
    { weight: 1, arbitrary: bad.map((authorization) => ({ ...sender, authorization })) },
    { weight: 1, arbitrary: bad.map((token) => ({ ...sender, authorization: `Bearer ${token}` })) },
    { weight: 2, arbitrary: bad.map((org) => ({ ...sender, 'x-selected-org-id': org })) },
  );
}

function withoutUndefined(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

const json = 'application/json';
const oddTypes = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  formType,
  '',
  'x',
  ';',
];
const oddBytes = [
  Buffer.from(''),
  Buffer.from(' '),
  Buffer.from('null'),
  Buffer.from('[]'),
  Buffer.from('"text"'),
  Buffer.from('1'),
  Buffer.from('{"a":'),
  Buffer.from('{"a":1,}'),
  Buffer.from('\ufeff{}'),
  Buffer.from('{"name":"a","name":"b"}'),
  Buffer.from('{"__proto__":{"x":1}}'),
  Buffer.from('{"constructor":{"prototype":{}}}'),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0, 0, 0]),
  Buffer.from('['.repeat(20_000)),
  Buffer.from(`{"name":"${'x'.repeat(1024 * 1024)}"}`),
];

function bodyOf({ operation, method }: Operation, context: FuzzContext): fc.Arbitrary<Body> {
  const content = operation.requestBody?.content ?? {};
  const none: fc.Arbitrary<Body> = fc.constant({ type: undefined, bytes: undefined });
  const odd: fc.Arbitrary<Body> = fc.record({
    type: fc.constantFrom(json, ...oddTypes),
    bytes: fc.constantFrom<Buffer | undefined>(...oddBytes, undefined),
  });
  const { schema, examples = {} } = content[json] ?? {};
  if (schema) {
    const good = jsonOf(schema, Object.values(examples), context);
    const text = (value: fc.Arbitrary<unknown>) => value.map((given): Body => ({ type: json, bytes: toJson(given) }));
    return fc.oneof(
      { weight: 8, arbitrary: text(good) },
      { weight: 8, arbitrary: text(mutated(good)) },
      { weight: 1, arbitrary: text(nastyValue) },
      { weight: 2, arbitrary: odd },
      { weight: 1, arbitrary: none },
    );
  }
  const form = content['multipart/form-data'];
  if (form) return fc.oneof({ weight: 10, arbitrary: formOf(form.schema, context) }, { weight: 1, arbitrary: odd });
  return fc.oneof({ weight: method === 'GET' || method === 'HEAD' ? 30 : 8, arbitrary: none }, odd);
}

/** By the schema, or an example of the document with ids of what exists. */
function jsonOf(
  schema: Record<string, unknown>,
  examples: { value: unknown }[],
  context: FuzzContext,
): fc.Arbitrary<unknown> {
  const known = examples.map(({ value }) =>
    JSON.parse(JSON.stringify(value), (key, part: unknown) => context.pools.get(key)?.[0] ?? part),
  );
  const made = valueOf(schema, context);
  return known.length === 0 ? made : fc.oneof(made, fc.constantFrom<unknown>(...known));
}

function toJson(value: unknown): Buffer {
  return Buffer.from((JSON.stringify(value) ?? '').replaceAll(`"${numberTooLarge}"`, '1e999'));
}

const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);
const files = [
  wav,
  wav,
  wav,
  wav,
  wav.subarray(0, 30),
  Buffer.alloc(0),
  Buffer.from('no audio'),
  Buffer.from('ID3'),
  wav.subarray(0, 44),
];
const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Agent>Hello\n';

/** The parts of an upload, as they should be, with one that is not, or with a wire that ends early. */
function formOf(given: Record<string, unknown>, context: FuzzContext): fc.Arbitrary<Body> {
  const { properties = {} } = context.resolve(given) as { properties?: Record<string, Record<string, unknown>> };
  const file = fc.record({ content: fc.constantFrom(...files), fileName: fc.oneof(fc.constant('call.wav'), fileName) });
  const { contentSchema = {} } = (properties['metadata'] ?? {}) as { contentSchema?: object };
  const metadata = valueOf({ ...contentSchema }, context);
  const text = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Part> =>
    value.map((content) => ({ name, content }));
  const project = fc.oneof({ weight: 8, arbitrary: valueOf({}, context, 'projectId').map(String) }, nastyText);
  const optional = fc.subarray<fc.Arbitrary<Part>>([
    text(
      'metadata',
      fc.oneof(metadata, mutated(metadata), nastyValue).map((value) => String(toJson(value))),
    ),
    text(
      'transcript',
      fc.oneof(fc.constantFrom(vtt, '1\n00:00:01,000 --> 00:00:02,000\nHello\n', '[]', '{}'), nastyText),
    ),
    text('other', nastyText),
    text('projectId', nastyText),
  ]);
  const base: fc.Arbitrary<Part>[] = [
    text('projectId', project),
    file.map(({ content, fileName }) => ({ name: 'file', fileName, type: 'audio/wav', content })),
  ];
  const parts = fc
    .oneof(fc.constant([]), optional)
    .chain((more) => fc.tuple(...base, ...more))
    .chain((all) => fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.nat({ max: 9 })))
    .map(([all, dice]) => (dice === 0 ? all.slice(1) : all));
  const cut = fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true }));
  const type = fc.oneof({ weight: 12, arbitrary: fc.constant(formType) }, fc.constantFrom(...oddTypes));
  return fc.record({ parts, cut, type }).map(({ parts, cut, type }) => {
    const bytes = formBytes(parts);
    return { type, bytes: bytes.subarray(0, Math.ceil(bytes.length * cut)) };
  });
}

const fileName = nastyText.map((text) => text.replace(/[\r\n"]/g, '').replaceAll(boundary, ''));
