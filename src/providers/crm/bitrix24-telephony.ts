import { z } from 'zod';
import { toCallFacts, type CrmCallFacts } from './bitrix24-calls.ts';
import { toError, type RestAnswer } from './bitrix24-rest.ts';
import { CrmError } from './crm-error.ts';

/** Calls one portal, with whatever tokens that needs. Throws CrmError. */
export type AskPortal = (method: string, parameters: Record<string, unknown>) => Promise<RestAnswer>;

const pageSize = 50;
const commandsMax = 25;

const Rows = z.array(z.unknown());
const File = z.object({ DOWNLOAD_URL: z.url({ protocol: /^https?$/ }) });
const Batch = z.object({
  result: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
  result_error: z.unknown().optional(),
});
const BatchErrors = z.record(z.string(), z.object({ error: z.string() }));
const People = z.array(z.object({ NAME: z.string().nullish(), LAST_NAME: z.string().nullish() }));

/** Null while the statistics do not contain the call yet. */
export async function readCall(ask: AskPortal, callId: string): Promise<CrmCallFacts | null> {
  const { result } = await ask('voximplant.statistic.get', { FILTER: { CALL_ID: callId } });
  const rows = readRows(result).map(toCallFacts);
  return rows.find((facts) => facts?.callId === callId) ?? null;
}

/**
 * The current address of the recording: addresses on a portal's disk expire after about an hour. Null while there is
 * none.
 */
export async function readRecordingAddress(ask: AskPortal, callId: string): Promise<string | null> {
  const { recording } = (await readCall(ask, callId)) ?? {};
  if (!recording) return null;
  if (recording.fileId === null) return recording.url;
  try {
    const { result } = await ask('disk.file.get', { id: recording.fileId });
    return File.safeParse(result).data?.DOWNLOAD_URL ?? recording.url;
  } catch (error) {
    // Without the scope `disk`, or if the file was moved, only the address of the call is left.
    if (error instanceof CrmError && error.problem === 'refused' && recording.url !== null) return recording.url;
    throw error;
  }
}

export type CallList = { calls: CrmCallFacts[]; isWhole: boolean };

/**
 * Calls that began at or after `from`, oldest first. The first page says how many there are; the others are fetched in
 * batches.
 */
export async function listCalls(
  ask: AskPortal,
  { from, pagesMax }: { from: Date; pagesMax: number },
): Promise<CallList> {
  const query = { SORT: 'CALL_START_DATE', ORDER: 'ASC' };
  const filter = { '>=CALL_START_DATE': from.toISOString() };
  const first = await ask('voximplant.statistic.get', { ...query, FILTER: filter, start: 0 });
  const rows = readRows(first.result);
  const total = first.next === null ? rows.length : (first.total ?? first.next + 1);
  const starts = range(pageSize, Math.min(total, pagesMax * pageSize));
  for (let index = 0; index < starts.length; index += commandsMax) {
    const commands = starts.slice(index, index + commandsMax).map((start) => {
      const text = new URLSearchParams({
        ...query,
        'FILTER[>=CALL_START_DATE]': filter['>=CALL_START_DATE'],
        start: `${start}`,
      });
      return [`from${start}`, `voximplant.statistic.get?${text}`] as const;
    });
    rows.push(...(await askAll(ask, commands)).flatMap(readRows));
  }
  const calls = rows.map(toCallFacts).filter((facts) => facts !== null);
  return { calls, isWhole: total <= pagesMax * pageSize };
}

/** Has the portal send these events to the address. Existing bindings are fine. */
export async function bindEvents(ask: AskPortal, { events, handler }: { events: string[]; handler: string }) {
  for (const event of events) {
    await ask('event.bind', { event, handler }).catch((error: unknown) => {
      const isBound = error instanceof CrmError && /BINDING_EXISTS|ALREADY_BIN/.test(error.code);
      if (!isBound) throw error;
    });
  }
}

/** Null if the portal does not say, because the scope `user_basic` or the user is missing. */
export async function readUserName(ask: AskPortal, userId: string): Promise<string | null> {
  try {
    const { result } = await ask('user.get', { ID: userId });
    const [person] = People.safeParse(result).data ?? [];
    const name = [person?.NAME, person?.LAST_NAME].map((part) => part?.trim()).filter(Boolean);
    return name.join(' ').slice(0, 255) || null;
  } catch (error) {
    if (error instanceof CrmError && error.problem === 'refused') return null;
    throw error;
  }
}

/** Up to fifty commands in one request (`batch`), in order. If one fails, all fail. */
async function askAll(ask: AskPortal, commands: (readonly [name: string, command: string])[]): Promise<unknown[]> {
  const { result } = await ask('batch', { halt: 1, cmd: Object.fromEntries(commands) });
  const { data } = Batch.safeParse(result);
  const failed = Object.values(BatchErrors.safeParse(data?.result_error).data ?? {});
  if (failed[0]) throw toError(failed[0].error, { status: 400, headers: {} });
  // PHP serializes an empty map as an empty list.
  const answers = data && !Array.isArray(data.result) ? data.result : {};
  return commands.map(([name]) => answers[name] ?? []);
}

function readRows(result: unknown): unknown[] {
  const { data } = Rows.safeParse(result);
  if (!data) throw new CrmError('unavailable', 'UNEXPECTED_ANSWER');
  return [...data];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / pageSize)) }, (_, index) => from + index * pageSize);
}
