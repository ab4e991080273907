import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tellAgreement } from '../../src/model/agreement.ts';
import { agreementOf, curveOf, type Judgement } from './figures.ts';

const root = new URL('../../', import.meta.url);
const FIGURES = fileURLToPath(new URL('src/model/agreement-figures.ts', root));
const README = fileURLToPath(new URL('README.md', root));
const SCORING = fileURLToPath(new URL('docs/scoring.md', root));

export type Figures = Parameters<typeof tellAgreement>[0] & object;

/** The figures that the README and the dashboard state. */
export function figuresOf(judgements: readonly Judgement[]): Figures {
  const { answers, judged, right } = agreementOf(judgements);
  const calls = new Set(judgements.map(({ call }) => call)).size;
  return { calls, answers, given: judged, agreeing: right };
}

/** Writes the figures for the dashboard, their sentence for the README, and the curve for docs/scoring.md. */
export function writeStated(judgements: readonly Judgement[]): void {
  const figures = figuresOf(judgements);
  const entries = Object.entries(figures).map(([name, value]) => `${name}: ${String(value)}`);
  const lead = '/** How answers to labelled calls agree with a reader. Made by `npm run evaluate -- --write`. */';
  writeFileSync(FIGURES, `${lead}\nexport const AGREEMENT_FIGURES = { ${entries.join(', ')} };\n`);
  writeFileSync(README, withBlock(readFileSync(README, 'utf8'), 'agreement', tellAgreement(figures)));
  writeFileSync(SCORING, withBlock(readFileSync(SCORING, 'utf8'), 'curve', drawCurve(judgements)));
}

/** What stands between the marks of this name. */
export function blockOf(text: string, name: string): string | undefined {
  return blockPattern(name).exec(text)?.[2]?.trim();
}

function withBlock(text: string, name: string, block: string): string {
  if (blockOf(text, name) === undefined) throw new Error(`No marks for “${name}” to write between.`);
  return text.replace(
    blockPattern(name),
    (_, before: string, __, after: string) => `${before}\n\n${block}\n\n${after}`,
  );
}

function blockPattern(name: string): RegExp {
  return new RegExp(`(<!-- ${name}: [^\\n]*-->)([\\s\\S]*?)(<!-- /${name} -->)`, 'u');
}

/** Agreement against coverage: the more unsure answers are left to a person, the better are those that are given. */
export function drawCurve(judgements: readonly Judgement[]): string {
  const percent = (part: number): string => (100 * part).toFixed(1);
  const points = curveOf(judgements)
    .map((each) => ({ ...each, coverage: percent(each.coverage), agreement: percent(each.agreement) }))
    .filter(({ coverage }, index, all) => index === 0 || all[index - 1]?.coverage !== coverage);
  const rows = points.map(({ confidence, coverage, agreement }) => [
    confidence === 0 ? 'any' : `at least ${confidence.toFixed(2)}`,
    `${coverage} %`,
    `${agreement} %`,
  ]);
  const rising = points.toReversed();
  return [
    '```mermaid',
    'xychart-beta',
    '  title "Of the answers given, how many agree with a reader"',
    `  x-axis "share of the weight that is judged, %" [${rising.map(({ coverage }) => coverage).join(', ')}]`,
    '  y-axis "agreement, %" 80 --> 100',
    `  line [${rising.map(({ agreement }) => agreement).join(', ')}]`,
    '```',
    '',
    ...tableOf(['confidence', 'judged', 'agree'], rows),
  ].join('\n');
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
