import { redactProject } from '../domain/processing/service.ts';
import { counted } from '../lib/counted.ts';
import { createLogger } from '../lib/logger.ts';
import { openHeavyWork } from '../setup/open-heavy-work.ts';
import type { Result } from './output.ts';
import type { Session } from './session.ts';

/** Throws NOT_FOUND (project), or CONFLICT if the project does not redact. */
export async function redact(session: Session, { org, project }: { org: string; project: string }): Promise<Result> {
  const { db, config } = await session.database();
  const heavyWork = openHeavyWork(config, createLogger('warn', process.stderr));
  try {
    const { redacted } = await redactProject({ db, heavyWork }, { orgId: org, projectId: project });
    return { data: { orgId: org, projectId: project, redacted }, text: summaryOf(redacted) };
  } finally {
    await heavyWork.close();
  }
}

function summaryOf(redacted: number): string {
  if (redacted === 0) return 'No call is left to redact.';
  const whose = redacted === 1 ? 'Its recording' : 'Their recordings';
  return `Redacted ${counted(redacted, 'call')}. ${whose} will be muted as soon as the service runs.`;
}
