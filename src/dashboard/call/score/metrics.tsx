import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { formatNumber, formatPercent } from '../../lib/format.ts';
import { useCall } from '../call-context.tsx';
import type { Analysis } from '../use-call-data.ts';
import { formatSpan } from '../words.ts';

type Metrics = NonNullable<Analysis['metrics']>;

/** How the conversation went, in figures. */
export function MetricsView({ metrics }: { metrics: Metrics }) {
  const { talkRatio, longestMonologueMs, nonTalkTimeMs, interruptions, wordsPerMinute, sentiment } = metrics;
  return (
    <div className="grid gap-4 rounded-xl border border-line bg-surface p-3">
      {talkRatio !== null && <TalkRatio metrics={metrics} talkRatio={talkRatio} />}
      <dl className="grid grid-cols-2 gap-3">
        <Figure label="Longest monologue">{formatSpan(longestMonologueMs)}</Figure>
        <Silence nonTalkTimeMs={nonTalkTimeMs} />
      </dl>
      <table className="w-full text-sm">
        <thead className="text-left text-xs text-ink-faint">
          <tr>
            <th className="font-medium">
              <span className="sr-only">Figure</span>
            </th>
            <th scope="col" className="pb-1 text-right font-medium text-agent">
              Agent
            </th>
            <th scope="col" className="pb-1 text-right font-medium text-customer">
              Customer
            </th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          <Row label="Words a minute" {...mapBoth(wordsPerMinute, (value) => round(value))} />
          <Row label="Interruptions" {...mapBoth(interruptions, formatNumber)} />
        </tbody>
      </table>
      <div className="grid gap-2">
        <Sentiment label="Sentiment, agent" value={sentiment.agent} />
        <Sentiment label="Sentiment, customer" value={sentiment.customer} />
      </div>
    </div>
  );
}

function TalkRatio({ metrics, talkRatio }: { metrics: Metrics; talkRatio: number }) {
  const agent = formatPercent(talkRatio);
  const customer = formatPercent(1 - talkRatio);
  return (
    <div>
      <p className="mb-1.5 flex justify-between text-xs font-medium">
        <span className="text-agent">
          Agent {agent} <span className="font-normal text-ink-faint">{formatSpan(metrics.talkTimeMs.agent)}</span>
        </span>
        <span className="text-customer">
          <span className="font-normal text-ink-faint">{formatSpan(metrics.talkTimeMs.customer)}</span> Customer{' '}
          {customer}
        </span>
      </p>
      <div
        role="img"
        aria-label={`Talk ratio: agent ${agent}, customer ${customer}`}
        className="flex h-2.5 gap-0.5 overflow-hidden rounded-full"
      >
        <span className="bg-agent" style={{ width: `${talkRatio * 100}%` }} />
        <span className="flex-1 bg-customer" />
      </div>
    </div>
  );
}

function Silence({ nonTalkTimeMs }: { nonTalkTimeMs: number }) {
  const { durationMs } = useCall();
  const share = durationMs > 0 ? Math.min(1, nonTalkTimeMs / durationMs) : 0;
  return (
    <Figure label="Nobody speaks">
      {formatSpan(nonTalkTimeMs)} <span className="text-xs font-normal text-ink-faint">{formatPercent(share)}</span>
    </Figure>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd className="text-sm font-medium tabular-nums">{children}</dd>
    </div>
  );
}

function Row({ label, agent, customer }: { label: string; agent: string; customer: string }) {
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-1.5 text-left font-normal text-ink-soft">
        {label}
      </th>
      <td className="text-right font-medium">{agent}</td>
      <td className="text-right font-medium">{customer}</td>
    </tr>
  );
}

/** A bar from the middle to the right for positive values, to the left for negative ones. */
function Sentiment({ label, value }: { label: string; value: number | null }) {
  const word = value === null ? 'not known' : value > 0.15 ? 'positive' : value < -0.15 ? 'negative' : 'neutral';
  const width = Math.abs(value ?? 0) * 50;
  const isNegative = (value ?? 0) < 0;
  return (
    <div className="grid grid-cols-[9rem_1fr_4.5rem] items-center gap-2 text-xs">
      <span className="text-ink-soft">{label}</span>
      <span aria-hidden="true" className="relative h-2 rounded-full bg-raised">
        <span className="absolute -inset-y-0.5 left-1/2 w-px bg-line-strong" />
        <span
          className={clsx('absolute inset-y-0 rounded-full', isNegative ? 'bg-bad' : 'bg-good')}
          style={{ width: `${width}%`, left: isNegative ? `${50 - width}%` : '50%' }}
        />
      </span>
      <span className="text-right font-medium">{word}</span>
    </div>
  );
}

function mapBoth(
  { agent, customer }: { agent: number | null; customer: number | null },
  format: (value: number) => string,
): { agent: string; customer: string } {
  const of = (value: number | null): string => (value === null ? '–' : format(value));
  return { agent: of(agent), customer: of(customer) };
}

function round(value: number): string {
  return formatNumber(Math.round(value));
}
