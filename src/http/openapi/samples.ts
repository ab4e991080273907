import type { oas31 } from 'zod-openapi';
import { restPrefix } from '../endpoints.ts';

export type Sample = { lang: string; label: string; source: string };

/** A request as the examples of the document have it. `EARSHOT`, `TOKEN` and `ORG` come from the environment. */
export type SampleRequest = {
  method: string;
  /** Below the address of the service, with what a query has to have. */
  path: string;
  isPublic: boolean;
  json?: unknown;
  /** A form with a file, or without one. */
  form?: { type: 'multipart' | 'urlencoded'; fields: Record<string, string> };
  answers: 'json' | 'text' | 'bytes' | 'nothing';
};

/** One request in four languages, with nothing that has to be installed but `requests` of Python. */
export function samplesOf(request: SampleRequest): Sample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
    { lang: 'Go', label: 'Go', source: go(request) },
  ];
}

function curl({ method, path, isPublic, json, form, answers }: SampleRequest): string {
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` --request ${method}`;
  const flag = form?.type === 'multipart' ? '--form' : '--data-urlencode';
  return [
    `curl --fail-with-body${verb} "$EARSHOT${restPrefix}${path}"`,
    ...(isPublic ? [] : ['--header "Authorization: Bearer $TOKEN"', '--header "X-Selected-Org-ID: $ORG"']),
    ...(json === undefined ? [] : ['--header "Content-Type: application/json"', `--data ${quoted(pretty(json))}`]),
    ...Object.entries(form?.fields ?? {}).map(
      ([name, value]) => `${flag} ${name === 'file' ? `file=@${value}` : quoted(`${name}=${value}`)}`,
    ),
    ...(answers === 'bytes' ? ['--output call.wav'] : []),
  ].join(' \\\n  ');
}

/** For a shell: nothing inside is replaced. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function python({ method, path, isPublic, json, form, answers }: SampleRequest): string {
  const { file, ...fields } = form?.fields ?? {};
  const args = [
    `"${method}"`,
    `f"{os.environ['EARSHOT']}${restPrefix}${path}"`,
    ...(isPublic
      ? []
      : [
          'headers={\n        "Authorization": f"Bearer {os.environ[\'TOKEN\']}",\n        "X-Selected-Org-ID": os.environ["ORG"],\n    }',
        ]),
    ...(json === undefined ? [] : [`json=${pythonOf(json).replaceAll('\n', '\n    ')}`]),
    ...(file === undefined ? [] : [`files={"file": open("${file}", "rb")}`]),
    ...(form ? [`data=${pythonOf(fields).replaceAll('\n', '\n    ')}`] : []),
  ];
  const shown = {
    json: 'answer.json()',
    text: 'answer.text',
    bytes: 'len(answer.content)',
    nothing: 'answer.status_code',
  };
  return `import os

import requests

answer = requests.request(
${args.map((arg) => `    ${arg},`).join('\n')}
)
answer.raise_for_status()
print(${shown[answers]})`;
}

function pythonOf(value: unknown): string {
  return pretty(value).replaceAll(
    /^(.*?": |\s*)(true|false|null)(,?)$/gm,
    (_match, before: string, word: string, comma: string) => {
      const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
      return `${before}${words[word]}${comma}`;
    },
  );
}

function typescript({ method, path, isPublic, json, form, answers }: SampleRequest): string {
  const { file, ...fields } = form?.fields ?? {};
  const isFile = file !== undefined;
  const headers = [
    ...(isPublic ? [] : ['Authorization: `Bearer ${TOKEN}`', "'X-Selected-Org-ID': `${ORG}`"]),
    ...(json === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    `method: '${method}'`,
    ...(headers.length > 0 ? [`headers: {\n${headers.map((line) => `    ${line},`).join('\n')}\n  }`] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${pretty(json).replaceAll('\n', '\n  ')})`]),
    ...(form ? ['body: form'] : []),
  ];
  const shown = {
    json: 'await answer.json()',
    text: 'await answer.text()',
    bytes: '(await answer.arrayBuffer()).byteLength',
    nothing: 'answer.status',
  };
  const making = isFile ? 'new FormData()' : 'new URLSearchParams()';
  const lines = [
    ...(isFile ? ["import { openAsBlob } from 'node:fs';\n"] : []),
    'const { EARSHOT, TOKEN, ORG } = process.env;',
    ...(form ? [`const form = ${making};`] : []),
    ...(isFile ? [`form.set('file', await openAsBlob('${file}'), '${file}');`] : []),
    ...Object.entries(fields).map(([name, value]) => `form.set('${name}', ${JSON.stringify(value)});`),
    `const answer = await fetch(\`\${EARSHOT}${restPrefix}${path}\`, {\n${options.map((line) => `  ${line},`).join('\n')}\n});`,
    'if (!answer.ok) throw new Error(await answer.text());',
    `console.log(${shown[answers]});`,
  ];
  return lines.join('\n');
}

function go(request: SampleRequest): string {
  const { method, path, isPublic, json, form } = request;
  const isFile = form?.type === 'multipart';
  const body = json !== undefined || (form && !isFile) ? 'body' : isFile ? '&form' : 'nil';
  const type =
    json !== undefined
      ? '"application/json"'
      : isFile
        ? 'parts.FormDataContentType()'
        : '"application/x-www-form-urlencoded"';
  const lines = [
    ...(json === undefined ? [] : [`body := strings.NewReader(\`${pretty(json)}\`)`]),
    ...(form ? goForm(form) : []),
    `request, err := http.NewRequest("${method}", os.Getenv("EARSHOT")+"${restPrefix}${path}", ${body})`,
    'check(err)',
    ...(isPublic
      ? []
      : [
          'request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))',
          'request.Header.Set("X-Selected-Org-ID", os.Getenv("ORG"))',
        ]),
    ...(body === 'nil' ? [] : [`request.Header.Set("Content-Type", ${type})`]),
    'answer, err := http.DefaultClient.Do(request)',
    'check(err)',
    'text, err := io.ReadAll(answer.Body)',
    'check(err)',
    'fmt.Println(answer.Status, string(text))',
  ];
  return `package main

import (
${goPackages(request)
  .map((name) => `\t"${name}"`)
  .join('\n')}
)

func main() {
${lines.map((line) => `\t${line}`).join('\n')}
}

func check(err error) {
\tif err != nil {
\t\tpanic(err)
\t}
}`;
}

/** What the program uses, and nothing else: Go refuses the rest. */
function goPackages({ json, form }: SampleRequest): string[] {
  const isFile = form?.type === 'multipart';
  const isText = json !== undefined || (form !== undefined && !isFile);
  return [
    ...(isFile ? ['bytes'] : []),
    'fmt',
    'io',
    ...(isFile ? ['mime/multipart'] : []),
    'net/http',
    ...(form && !isFile ? ['net/url'] : []),
    'os',
    ...(isText ? ['strings'] : []),
  ];
}

function goForm({ type, fields }: NonNullable<SampleRequest['form']>): string[] {
  const { file, ...texts } = fields;
  if (type === 'urlencoded') {
    const values = Object.entries(texts).map(([name, value]) => `"${name}": {${JSON.stringify(value)}}`);
    return [`body := strings.NewReader(url.Values{${values.join(', ')}}.Encode())`];
  }
  return [
    'var form bytes.Buffer',
    'parts := multipart.NewWriter(&form)',
    `file, err := os.Open("${file}")`,
    'check(err)',
    `part, err := parts.CreateFormFile("file", "${file}")`,
    'check(err)',
    'io.Copy(part, file)',
    ...Object.entries(texts).map(([name, value]) => `parts.WriteField("${name}", ${JSON.stringify(value)})`),
    'parts.Close()',
  ];
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The request of an operation, from its first example. */
export function sampleRequestOf(
  operation: oas31.OperationObject,
  { method, path, parameters }: { method: string; path: string; parameters: oas31.ParameterObject[] },
): SampleRequest {
  const shown = parameters.filter(({ in: place, required }) => place === 'path' || (place === 'query' && required));
  const valueOf = ({ example, schema }: oas31.ParameterObject): string =>
    encodeURIComponent(String(example ?? (schema as oas31.SchemaObject | undefined)?.examples?.[0] ?? 'value'));
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = shown.find((each) => each.name === name);
    return parameter ? valueOf(parameter) : whole;
  });
  const query = shown.filter(({ in: place }) => place === 'query').map((each) => `${each.name}=${valueOf(each)}`);
  const content = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody.content : {};
  const [type = '', media] = Object.entries(content)[0] ?? [];
  const [example] = Object.values(media?.examples ?? {}) as { value?: unknown }[];
  const isJson = type === 'application/json';
  return {
    method: method.toUpperCase(),
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    isPublic: operation.security?.length === 0,
    ...(isJson && example && { json: example.value }),
    ...(type !== '' && !isJson && { form: formOf(type, example?.value as Record<string, string>) }),
    answers: method === 'head' ? 'nothing' : answersOf(operation),
  };
}

function formOf(type: string, fields: Record<string, string>): NonNullable<SampleRequest['form']> {
  if (type !== 'multipart/form-data') return { type: 'urlencoded', fields };
  return { type: 'multipart', fields: { ...fields, file: 'call.wav' } };
}

function answersOf({ responses = {} }: oas31.OperationObject): SampleRequest['answers'] {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] as oas31.ResponseObject;
  const [type] = Object.keys(success?.content ?? {});
  if (type === undefined) return 'nothing';
  if (type === 'application/json') return 'json';
  return type.startsWith('text/') ? 'text' : 'bytes';
}
