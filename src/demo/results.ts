import type { AnalysisDetail } from '../domain/analyses/schemas.ts';
import type { CheckAnswer } from '../model/scorecard.ts';
import type { Wire } from './client.ts';
import type { CallResult } from './run-calls.ts';
import { clock, fit, paint, say, screenWidth, wrap } from './screen.ts';
import type { Style } from './screen.ts';

type Analysis = Wire<AnalysisDetail>;
type Check = Analysis['checks'][number];

const shortTitles: Record<string, string> = {
  greeting: 'Greeting',
  problemResolution: 'Solution',
  professionalism: 'Manner',
  closing: 'Closing',
};

const marks: Record<CheckAnswer, { mark: string; style: Style }> = {
  pass: { mark: '✓', style: 'green' },
  partial: { mark: '~', style: 'yellow' },
  fail: { mark: '✗', style: 'red' },
  not_applicable: { mark: '–', style: 'dim' },
  needs_review: { mark: '?', style: 'yellow' },
};

/** One line for each call: what it was meant to be, and what the analysis found. */
export function printTable(results: CallResult[]): void {
  const categories = [...new Set(results.flatMap(({ analysis }) => Object.keys(analysis?.categories ?? {})))];
  const titles = categories.map((key) => shortTitles[key] ?? key);
  const header = [fit('Call', 24), fit('Agent', 14), fit('Format', 11), 'Length', 'Score', fit('Compliance', 13)];
  say(paint('bold', [...header, ...titles].join('  ')));
  for (const result of results) say(tableLine(result, categories, titles));
}

function tableLine({ call, record, analysis }: CallResult, categories: string[], titles: string[]): string {
  const format = `${call.format.toUpperCase()} ${call.sampleRate / 1_000} kHz`;
  const length = record.duration === null ? '–' : clock(record.duration * 1_000);
  const start = [fit(call.title, 24), fit(call.agentName, 14), fit(format, 11), length.padStart(6)];
  if (!analysis) {
    const reason = `${record.status}: ${record.failure?.message ?? 'no reason given'}`;
    return [...start, paint('red', reason)].join('  ');
  }
  const scores = categories.map((key, index) => {
    return paintScore(analysis.categories[key] ?? null, titles[index]?.length ?? 5);
  });
  return [...start, paintScore(analysis.qualityScore, 5), paintCompliance(analysis.complianceStatus), ...scores].join(
    '  ',
  );
}

function paintScore(score: number | null, width: number): string {
  if (score === null) return paint('dim', '–'.padStart(width));
  return paint(score >= 80 ? 'green' : score >= 50 ? 'yellow' : 'red', String(score).padStart(width));
}

function paintCompliance(status: Analysis['complianceStatus']): string {
  const text = fit((status ?? '–').replaceAll('_', ' '), 13);
  if (status === 'passed') return paint('green', text);
  if (status === 'failed') return paint('red', text);
  return paint(status === 'needs_review' ? 'yellow' : 'dim', text);
}

/** Every check of one call with its evidence. */
export function printEvidence({ call }: CallResult, analysis: Analysis): void {
  say(
    paint('bold', `Why “${call.title}” got ${analysis.qualityScore ?? 'no score'}`) + paint('dim', `  (${call.story})`),
  );
  say();
  printWrapped(analysis.summary, '');
  for (const category of Object.keys(analysis.categories)) {
    say();
    say(`${paint('bold', shortTitles[category] ?? category)} ${paintScore(analysis.categories[category] ?? null, 3)}`);
    for (const check of analysis.checks) if (check.category === category) printCheck(check, analysis);
  }
  if (analysis.complianceFindings.length > 0) {
    say();
    say(`${paint('bold', 'Compliance')} ${paintCompliance(analysis.complianceStatus)}`);
    for (const finding of analysis.complianceFindings) printCheck(finding, analysis);
  }
  if (analysis.improvements.length > 0) {
    say();
    say(paint('bold', 'What to work on'));
    for (const improvement of analysis.improvements) printWrapped(improvement, '• ');
  }
}

type Judgement = Pick<Check, 'title' | 'answer' | 'rationale' | 'evidence'>;

function printCheck({ title, answer, rationale, evidence }: Judgement, { segments }: Analysis): void {
  const { mark, style } = marks[answer];
  say(`${paint(style, mark)} ${title}`);
  printWrapped(rationale, '    ', 'dim');
  for (const { segmentId, quote, startMs } of evidence) {
    const role = segments.find((segment) => segment.id === segmentId)?.role ?? 'unknown';
    printWrapped(`${clock(startMs)} ${role}: “${quote}”`, '    ', 'cyan');
  }
}

function printWrapped(text: string, indent: string, style?: Style): void {
  const width = Math.min(110, screenWidth() - 4) - indent.length;
  for (const [index, line] of wrap(text, width).entries()) {
    const lead = index === 0 ? indent : ' '.repeat(indent.length);
    say(lead + (style ? paint(style, line) : line));
  }
}
