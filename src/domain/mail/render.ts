import { escapeHtml } from '../../lib/html.ts';
import type { ComposedMail, Letter } from './schemas.ts';

const lineMax = 200;
const sentenceMax = 1000;

/** The letter as plain text and as HTML. Each text is reduced to one line, and everything is escaped. */
export function renderLetter(letter: Letter, unsubscribeUrl: string | null): Omit<ComposedMail, 'to'> {
  const tidy = {
    subject: oneLine(letter.subject),
    intro: oneLine(letter.intro, sentenceMax),
    facts: letter.facts.map(([name, value]): [string, string] => [oneLine(name), oneLine(value)]),
    action: letter.action,
    reason: oneLine(letter.reason, sentenceMax),
  };
  return {
    subject: tidy.subject,
    text: toText(tidy, unsubscribeUrl),
    html: toHtml(tidy, unsubscribeUrl),
    unsubscribeUrl,
  };
}

/** Removes line breaks, control characters and those that reverse the visible order, and limits the length. */
export function oneLine(text: string, max: number = lineMax): string {
  const line = text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim();
  const characters = Array.from(line);
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

function toText({ intro, facts, action, reason }: Letter, unsubscribeUrl: string | null): string {
  const lines = [intro, ''];
  for (const [name, value] of facts) lines.push(`${name}: ${value}`);
  if (facts.length > 0) lines.push('');
  lines.push(`${action.title}: ${action.url}`, '', '-- ', reason);
  if (unsubscribeUrl !== null) lines.push(`Unsubscribe: ${unsubscribeUrl}`);
  return `${lines.join('\n')}\n`;
}

/** Inline styles only, since mail programs drop the rest. Nothing is loaded from elsewhere. */
function toHtml({ subject, intro, facts, action, reason }: Letter, unsubscribeUrl: string | null): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#5a6b7d">${escapeHtml(name)}</td><td style="padding:2px 0">${escapeHtml(value)}</td></tr>`,
  );
  const table =
    rows.length === 0 ? '' : `<table style="border-collapse:collapse;margin:0 0 24px">${rows.join('\n')}</table>`;
  const stop =
    unsubscribeUrl === null ? '' : ` <a href="${escapeHtml(unsubscribeUrl)}" style="color:#5a6b7d">Unsubscribe</a>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#16202c">
<p style="margin:0 0 24px">${escapeHtml(intro)}</p>
${table}
<p style="margin:0 0 32px"><a href="${escapeHtml(action.url)}" style="padding:10px 16px;border-radius:8px;background:#1f6feb;color:#ffffff;text-decoration:none">${escapeHtml(action.title)}</a></p>
<p style="margin:0;font-size:13px;color:#5a6b7d">${escapeHtml(reason)}${stop}</p>
</body></html>
`;
}
