import type { NewEvent } from '../events/service.ts';

/** Has the CRM told of an analysis of a call that came from it; to be emitted with what publishes the analysis. */
export function reportRequest(source: string, about: { recordId: string; analysisId: string }): NewEvent[] {
  if (source !== 'bitrix24') return [];
  const dedupeKey = `crm.report.requested:${about.analysisId}`;
  return [{ type: 'crm.report.requested', data: about, dedupeKey }];
}
