import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { partOf, readLabelled, type Labelled, type LabelledCall, type Part, type Snippet } from '../labelled.ts';

const folder = fileURLToPath(new URL('../../learning/', import.meta.url));

/** Calls with acts, which teach readers and verdicts; and others, of which only the answers are known, in groups that stay together. */
export type Learning = { calls: LabelledCall[]; beside: LabelledCall[][]; snippets: Snippet[] };

/** All that is learned from, in the order of the files; of some parts alone where they are named. */
export function readLearning(isMeant: (part: Part) => boolean = () => true): Learning {
  const named = (names: RegExp): Labelled[] =>
    readdirSync(folder)
      .filter((name) => names.test(name))
      .sort()
      .map((name) => readLabelled(readFileSync(folder + name, 'utf8')));
  const isOwn = ({ id }: { id: string }): boolean => isMeant(partOf(id));
  const answered = named(/^sealed-\d+-calls\.jsonl$/u).flatMap(({ calls }) => calls);
  const pairs = named(/^(?:sealed-\d+-)?pairs\d*(?:-[a-z]+)?\.jsonl$/u).flatMap((each) => each.pairs);
  const snippets = named(/^(?:sealed-\d+-(?:accusing|harmless)|accusations\d*-[a-z]+)\.jsonl$/u).flatMap(
    (each) => each.snippets,
  );
  return {
    snippets: snippets.filter(isOwn),
    calls: named(/^calls\d*-[a-z]+\.jsonl$/u)
      .flatMap(({ calls }) => calls)
      .filter(isOwn),
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
