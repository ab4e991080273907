import { serverUrl } from './hosts.ts';

type Span = { name: string; stepOp: string | null; outputID: string | null; childrenSpans?: Span[] };
type Run = { id: string; status: string; function: { slug: string }; eventName: string | null; output: string | null };
type Answer = {
  runs: { edges: { node: Run }[] };
  eventsV2: { edges: { node: { name: string; raw: string } }[] };
  runTrace: Span | null;
  runTraceSpanOutputByID: object;
};

const runsQuery = `query ($from: Time!, $query: String) {
  runs(first: 200, orderBy: [{ field: QUEUED_AT, direction: DESC }], filter: { from: $from, query: $query }) {
    edges { node { id status function { slug } eventName output } }
  }
}`;
const eventsQuery = `query ($from: Time!) {
  eventsV2(first: 200, filter: { from: $from, includeInternalEvents: true }) { edges { node { name raw } } }
}`;
const fields = 'name stepOp outputID';
const traceQuery = `query ($id: String!) {
  runTrace(runID: $id) { ${fields} childrenSpans { ${fields} childrenSpans { ${fields} childrenSpans { ${fields} } } } }
}`;
const outputQuery = `query ($id: String!) {
  runTraceSpanOutputByID(outputID: $id) { input data error { message name stack cause } }
}`;

/** What the Inngest server of the tests keeps and shows of runs and events since then: one text for each of them. */
export async function readTraces(since: Date): Promise<string[]> {
  const from = since.toISOString();
  const [{ runs }, { eventsV2 }] = await Promise.all([ask(runsQuery, { from }), ask(eventsQuery, { from })]);
  const traced = runs.edges.map(async ({ node }) => {
    const { runTrace } = await ask(traceQuery, { id: node.id });
    const outputs = await Promise.all(outputsOf(runTrace).map((id) => ask(outputQuery, { id })));
    return JSON.stringify({ node, outputs });
  });
  return [...(await Promise.all(traced)), ...eventsV2.edges.map(({ node }) => JSON.stringify(node))];
}

/** A run as its page shows it: which function, and its steps in order. */
export type ShownRun = { functionId: string; steps: string[] };

/** The runs that somebody finds who looks for a call on the page of runs, by function. */
export async function readRunsOf(recordId: string, since: Date): Promise<ShownRun[]> {
  const query = `output.recordId == "${recordId}"`;
  const { runs } = await ask(runsQuery, { from: since.toISOString(), query });
  const shown = runs.edges.map(async ({ node }) => {
    const { runTrace } = await ask(traceQuery, { id: node.id });
    const steps = (runTrace?.childrenSpans ?? []).flatMap(({ name, stepOp }) => (stepOp === null ? [] : [name]));
    return { functionId: node.function.slug.replace('earshot-', ''), steps };
  });
  return (await Promise.all(shown)).toSorted((a, b) => a.functionId.localeCompare(b.functionId));
}

function outputsOf(span: Span | null): string[] {
  if (!span) return [];
  return [...(span.outputID === null ? [] : [span.outputID]), ...(span.childrenSpans ?? []).flatMap(outputsOf)];
}

/** The API of the server's own pages. */
async function ask(query: string, variables: object): Promise<Answer> {
  const response = await fetch(`${serverUrl}/v0/gql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Answer; errors?: object };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
