import { z } from 'zod';

/** A call as the portal's telephony describes it, in an event or in its statistics. */
export type CrmCallFacts = {
  callId: string;
  kind: 'inbound' | 'outbound' | 'information';
  portalUserId: string | null;
  phone: string | null;
  durationSeconds: number | null;
  startedAt: Date | null;
  /** Null if unknown; otherwise whether both sides spoke. */
  isConnected: boolean | null;
  crm: { entityType: string; entityId: string; activityId?: string } | null;
  recording: { url: string | null; fileId: string | null } | null;
};

const text = z.union([z.string(), z.number()]).transform((value) => String(value).trim());
const optional = text.nullish().transform((value) => value || null);
const secondsMax = 7 * 86_400;

const Row = z.object({
  CALL_ID: text.pipe(z.string().min(1).max(255)),
  CALL_TYPE: optional,
  PHONE_NUMBER: optional,
  PORTAL_USER_ID: optional,
  CALL_DURATION: optional,
  CALL_START_DATE: optional,
  CALL_FAILED_CODE: optional,
  CRM_ENTITY_TYPE: optional,
  CRM_ENTITY_ID: optional,
  CRM_ACTIVITY_ID: optional,
  CALL_RECORD_URL: optional,
  RECORD_FILE_ID: optional,
});

/**
 * Reads a row of `voximplant.statistic.get`, or `data` of `ONVOXIMPLANTCALLEND`, which is part of one. Null if it is no
 * call.
 */
export function toCallFacts(row: unknown): CrmCallFacts | null {
  const { data } = Row.safeParse(row);
  if (!data) return null;
  const { CRM_ENTITY_TYPE: entityType, CRM_ENTITY_ID: entityId, CRM_ACTIVITY_ID: activityId } = data;
  const url = data.CALL_RECORD_URL?.startsWith('http') ? data.CALL_RECORD_URL : null;
  const fileId = isId(data.RECORD_FILE_ID) ? data.RECORD_FILE_ID : null;
  return {
    callId: data.CALL_ID,
    kind: kindOf(data.CALL_TYPE),
    portalUserId: isId(data.PORTAL_USER_ID) ? data.PORTAL_USER_ID : null,
    phone: data.PHONE_NUMBER?.slice(0, 64) ?? null,
    durationSeconds: toSeconds(data.CALL_DURATION),
    startedAt: toDate(data.CALL_START_DATE),
    isConnected: data.CALL_FAILED_CODE === null ? null : data.CALL_FAILED_CODE === '200',
    crm:
      entityType && isId(entityId)
        ? { entityType: entityType.toLowerCase().slice(0, 64), entityId, ...(isId(activityId) ? { activityId } : {}) }
        : null,
    recording: url === null && fileId === null ? null : { url, fileId },
  };
}

/** 1 outbound, 2 inbound, 3 inbound and redirected, 4 callback, 5 an announcement that is read to the customer. */
function kindOf(type: string | null): CrmCallFacts['kind'] {
  if (type === '2' || type === '3') return 'inbound';
  return type === '5' ? 'information' : 'outbound';
}

/** Ids of portals are positive numbers; 0 means none. */
function isId(value: string | null): value is string {
  return value !== null && /^[1-9]\d{0,18}$/.test(value);
}

function toSeconds(value: string | null): number | null {
  const seconds = Number(value ?? Number.NaN);
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= secondsMax ? seconds : null;
}

/** ISO 8601 with an offset. Times without one are the portal's own, which nobody tells us: better none than a wrong one. */
function toDate(value: string | null): Date | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(value)) return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}
