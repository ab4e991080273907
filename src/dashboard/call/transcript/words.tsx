import { clsx } from 'clsx';
import { Fragment, memo } from 'react';
import { useAtTime } from '../call-context.tsx';
import type { Segment } from './segments.ts';
import { findQuote, overlaps, tokenAt, tokensOf, type TextRange, type Token } from './tokens.ts';
import type { Match } from './use-find.ts';

type Props = { segment: Segment; quote: string | null; matches: Match[]; currentMatch: Match | null };

/** The text word by word, marking the current word, matches, evidence and redactions. */
export const Words = memo(function Words({ segment, quote, matches, currentMatch }: Props) {
  const { text, startMs, endMs } = segment;
  const tokens = tokensOf(segment);
  const said = useAtTime((ms) => (ms >= startMs && ms <= endMs + lingerMs ? tokenAt(tokens, ms) : -1));
  const evidence = quote === null ? null : findQuote(text, quote);
  return (
    <p className="leading-relaxed break-words">
      {tokens.map((token, index) => {
        const gapTo = tokens[index + 1]?.from ?? text.length;
        return (
          <Fragment key={token.from}>
            {index === 0 && text.slice(0, token.from)}
            <span
              data-ms={token.startMs}
              className={clsx(
                'cursor-pointer rounded-[3px] hover:bg-accent/15',
                styleOf(token, { evidence, matches, currentMatch }),
                index === said && '!bg-accent !text-on-accent',
              )}
              {...(token.isRedacted && { title: 'Redacted, as set for this project' })}
            >
              {text.slice(token.from, token.to)}
            </span>
            <Gap text={text.slice(token.to, gapTo)} isMarked={evidence !== null && isInside(token, evidence)} />
          </Fragment>
        );
      })}
    </p>
  );
});

const lingerMs = 200;

/** The mark continues between two words of a quote. */
function Gap({ text, isMarked }: { text: string; isMarked: boolean }) {
  return isMarked ? <span className="bg-warn-soft">{text}</span> : text;
}

type Marks = { evidence: TextRange | null; matches: Match[]; currentMatch: Match | null };

function styleOf(token: Token, { evidence, matches, currentMatch }: Marks): string | undefined {
  if (currentMatch && overlaps(token, currentMatch)) return 'bg-warn text-canvas';
  if (matches.some((match) => overlaps(token, match))) return 'bg-warn-soft text-warn';
  if (token.isRedacted) return 'border border-line-strong bg-raised px-1 text-xs text-ink-soft italic';
  if (evidence && overlaps(token, evidence)) return 'bg-warn-soft underline decoration-warn decoration-2';
  return undefined;
}

function isInside({ to }: TextRange, range: TextRange): boolean {
  return to >= range.from && to < range.to;
}
