import type { EventPayload } from '../events/payloads.ts';
import { judgedInWords } from '../judged-share.ts';
import type { Letter } from './schemas.ts';

/** Pages of the app that mails link to. */
export type Links = { home: string; record(id: string): string; billing: string; webhook(id: string): string };

export function linksOf(publicUrl: string): Links {
  const base = publicUrl.replace(/\/+$/, '');
  return {
    home: `${base}/`,
    record: (id) => `${base}/calls/${encodeURIComponent(id)}`,
    billing: `${base}/billing`,
    webhook: (id) => `${base}/webhooks/${encodeURIComponent(id)}`,
  };
}

const operatorWords = {
  lt: 'below',
  lte: 'at most',
  gt: 'above',
  gte: 'at least',
  eq: 'equal to',
  neq: 'other than',
} as const;

type Alert = { data: EventPayload<'alert.triggered'>; projectName: string; orgName: string };

/** The rule, the value and the call, but nothing that was said and no phone number. */
export function alertLetter({ data, projectName, orgName }: Alert, links: Links): Letter {
  const { name, severity, condition, value, recordId, agentName, triggeredAt } = data;
  const words = operatorWords[condition.operator as keyof typeof operatorWords] ?? condition.operator;
  return {
    subject: `[${severity}] ${name}`,
    intro: `The alert rule “${name}” has fired for a call in ${projectName}.`,
    facts: [
      ['Condition', `${condition.field} ${words} ${condition.value}`],
      ['This call', String(value)],
      ['Quality score', scoreOf(data)],
      ['Agent', agentName ?? '–'],
      ['Severity', severity],
      ['Time', readable(triggeredAt)],
    ],
    action: { title: 'Open the call', url: links.record(recordId) },
    reason: `You get this mail because the rule notifies this address, in ${orgName} on Earshot.`,
  };
}

/** Events of earlier releases have no share. */
function scoreOf({ qualityScore, judgedShare = null, needsReviewCount = null }: Partial<Alert['data']>): string {
  const judged = judgedShare === 1 ? '' : judgedInWords({ judgedShare, needsReviewCount });
  if (qualityScore === null || qualityScore === undefined) return judged === '' ? '–' : `none yet: ${judged}`;
  return judged === '' ? String(qualityScore) : `${qualityScore} (${judged})`;
}

type Invite = { orgName: string; inviterName: string | null; role: string; expiresAt: Date; email: string };

/** Without `inviteUrl`, people sign in with an identity provider that knows them. */
export function inviteLetter(
  { orgName, inviterName, role, expiresAt, email }: Invite,
  links: Links,
  inviteUrl: string | null,
): Letter {
  return {
    subject: `You are invited to ${orgName} on Earshot`,
    intro: `${inviterName ?? 'Somebody'} invites you to ${orgName} on Earshot, which scores recorded customer calls and explains every score.`,
    facts: [
      ['Your role', role],
      ['Sign in as', email],
      ['Valid until', readable(expiresAt.toISOString())],
    ],
    action: inviteUrl === null ? { title: 'Sign in', url: links.home } : { title: 'Accept the invite', url: inviteUrl },
    reason: `You accept the invite by ${inviteUrl === null ? 'signing in with this address' : 'following this link, which works once'}. If you do not know ${orgName}, ignore this mail.`,
  };
}

type Budget = { data: EventPayload<'budget.threshold_reached'>; orgName: string };

export function budgetLetter({ data, orgName }: Budget, links: Links): Letter {
  const { threshold, period, totalCost, budgetLimit, budgetUsedPercent } = data;
  const isUsedUp = threshold === 100;
  return {
    subject: isUsedUp
      ? `The budget of ${orgName} for ${period} is used up`
      : `${threshold} % of the budget of ${orgName} for ${period} is used`,
    intro: isUsedUp
      ? 'New calls and further analyses are refused until the month ends or the limit is raised. Existing calls remain readable.'
      : 'At 100 %, new calls and further analyses are refused until the month ends or the limit is raised.',
    facts: [
      ['Month', period],
      ['Used', `${totalCost} of ${budgetLimit} (${budgetUsedPercent} %)`],
    ],
    action: { title: 'Open billing', url: links.billing },
    reason: `You get this mail as an owner or admin of ${orgName} on Earshot.`,
  };
}

type DisabledWebhook = {
  webhookId: string;
  url: string;
  description: string | null;
  disabledReason: 'failing' | 'gone' | null;
  orgName: string;
};

const disabledWords = {
  failing: 'all attempts of a delivery failed',
  gone: 'it answered 410 Gone',
};

/** Names only the host: the rest of the address may contain a key. */
export function webhookLetter(
  { webhookId, url, description, disabledReason, orgName }: DisabledWebhook,
  links: Links,
): Letter {
  const { host } = new URL(url);
  const why = disabledReason ? `: ${disabledWords[disabledReason]}` : '';
  return {
    subject: `The webhook to ${host} is disabled`,
    intro: `Events of ${orgName} are no longer sent to the webhook at ${host}${why}. New events are not kept for it. Once it works, enable it and redeliver the failed events.`,
    facts: [
      ['Webhook', webhookId],
      ['Description', description ?? '–'],
    ],
    action: { title: 'Open the webhook', url: links.webhook(webhookId) },
    reason: `You get this mail as an owner of ${orgName} on Earshot.`,
  };
}

/** `2026-01-31 12:00 UTC`: readers may be in any time zone. */
function readable(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;
}
