import { newEvent, type NewEvent } from '../events/service.ts';

/** Orders a report to the CRM about a call that came from it; emit it together with publishing the analysis. */
export function reportRequest(source: string, about: { recordId: string; analysisId: string }): NewEvent[] {
  if (source !== 'bitrix24') return [];
  return [newEvent('crm.report.requested', about, about.analysisId)];
}
