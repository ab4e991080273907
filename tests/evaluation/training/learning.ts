import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  partOf,
  readLabelled,
  withVariants,
  type Labelled,
  type LabelledCall,
  type Part,
  type Snippet,
} from '../labelled.ts';

const folder = fileURLToPath(new URL('../../learning/', import.meta.url));

/** Calls with acts, which teach readers and verdicts, each with its variants; and others, of which only the answers are known. Groups stay together. */
export type Learning = { calls: LabelledCall[][]; beside: LabelledCall[][]; snippets: Snippet[] };

/** All that is learned from, in the order of the files; of some parts alone where they are named. */
export function readLearning(isMeant: (part: Part) => boolean = () => true): Learning {
  const named = (names: RegExp): Labelled[] =>
    readdirSync(folder)
      .filter((name) => names.test(name))
      .sort()
      .map((name) => readLabelled(readFileSync(folder + name, 'utf8')));
  const isOwn = ({ id }: { id: string }): boolean => isMeant(partOf(id));
  const acts = readActs();
  const sealed = named(/^sealed-\d+-calls\.jsonl$/u).flatMap(({ calls }) => calls);
  const [labelled, answered] = [sealed.filter(({ id }) => acts.has(id)), sealed.filter(({ id }) => !acts.has(id))];
  const pairs = named(/^(?:sealed-\d+-)?pairs\d*(?:-[a-z]+)?\.jsonl$/u).flatMap((each) => each.pairs);
  const snippets = named(/^(?:sealed-\d+-(?:accusing|harmless)|accusations\d*-[a-z]+)\.jsonl$/u).flatMap(
    (each) => each.snippets,
  );
  return {
    snippets: snippets.filter(isOwn),
    calls: [
      ...named(/^calls\d*-[a-z]+\.jsonl$/u).flatMap(({ calls }) => calls),
      ...labelled.map((call) => withActs(call, acts.get(call.id) ?? [])),
    ]
      .filter(isOwn)
      .map(withVariants),
    beside: [
      ...answered.filter(isOwn).map((call) => [call]),
      ...pairs
        .filter(isOwn)
        .map((pair) =>
          pair.sides.map((side, index): LabelledCall => ({ ...pair, ...side, id: `${pair.id} ${String(index + 1)}` })),
        ),
    ],
  };
}

const Acts = z.object({ id: z.string(), acts: z.array(z.array(z.string())) });

/** What the utterances of calls do that were written without it, by the id of the call. */
function readActs(): Map<string, string[][]> {
  const lines = readFileSync(`${folder}acts-of-sealed.jsonl`, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => Acts.parse(JSON.parse(line))).map(({ id, acts }) => [id, acts]));
}

function withActs(call: LabelledCall, acts: readonly string[][]): LabelledCall {
  if (acts.length !== call.utterances.length)
    throw new Error(`The acts of ${call.id} are not those of its utterances.`);
  return { ...call, utterances: call.utterances.map((each, at) => ({ ...each, acts: acts[at] ?? [] })) };
}
