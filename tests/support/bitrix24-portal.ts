/** A row of `voximplant.statistic.get`. */
export type StatisticRow = Record<string, string | number | null> & { CALL_ID: string };
type Answer = [status: number, body: unknown];

export type PortalRest = {
  /** What telephony has written down, in any order. */
  statistics: StatisticRow[];
  /** `DOWNLOAD_URL` by id of a file on the portal's disk. */
  disk: Map<string, string>;
  /** Bytes by path; no token is asked for, as with addresses that hold one. */
  files: Map<string, Buffer>;
  people: Map<string, { NAME: string; LAST_NAME: string }>;
  handlers: { event: string; handler: string }[];
  transcriptions: { CALL_ID: string; MESSAGES: Record<string, unknown>[] }[];
  comments: { ID: number; ENTITY_TYPE: string; ENTITY_ID: string; COMMENT: string }[];
  /** Methods that were called, those in batches included. */
  methods: string[];
  /** Answers instead, by method; undefined goes on as always. */
  refuse: ((method: string) => Answer | undefined) | undefined;
  answer(method: string, parameters: Record<string, unknown>): Answer;
  /** Where a file of this server is. */
  urlOf(path: string): string;
};

const pageSize = 50;

/** The REST of one portal, as far as calls, files and timelines go: in the shapes and with the mistakes of Bitrix24. */
export function createPortalRest(urlOf: (path: string) => string): PortalRest {
  const rest: PortalRest = {
    statistics: [],
    disk: new Map(),
    files: new Map(),
    people: new Map(),
    handlers: [],
    transcriptions: [],
    comments: [],
    methods: [],
    refuse: undefined,
    urlOf,
    answer(method, parameters) {
      rest.methods.push(method);
      const refusal = rest.refuse?.(method);
      if (refusal) return refusal;
      const answer = methods[method];
      return answer ? answer(rest, parameters) : [404, { error: 'ERROR_METHOD_NOT_FOUND' }];
    },
  };
  return rest;
}

type Method = (rest: PortalRest, parameters: Record<string, unknown>) => Answer;

const methods: Record<string, Method> = {
  'voximplant.statistic.get': ({ statistics }, { FILTER, ORDER, start = 0 }) => {
    const rows = statistics
      .filter((row) => matches(row, (FILTER ?? {}) as Record<string, string>))
      .toSorted((a, b) => String(a['CALL_START_DATE']).localeCompare(String(b['CALL_START_DATE'])));
    if (ORDER === 'DESC') rows.reverse();
    const from = Number(start);
    const next = from + pageSize < rows.length ? { next: from + pageSize } : {};
    return [200, { result: rows.slice(from, from + pageSize), total: rows.length, ...next, time: { operating: 0.1 } }];
  },
  'disk.file.get': ({ disk }, { id }) => {
    const url = disk.get(String(id));
    return url ? [200, { result: { ID: id, DOWNLOAD_URL: url } }] : [400, { error: 'ERROR_NOT_FOUND' }];
  },
  'user.get': ({ people }, { ID }) => {
    const person = people.get(String(ID));
    return [200, { result: person ? [{ ID, ...person }] : [] }];
  },
  'event.bind': ({ handlers }, { event, handler }) => {
    const given = { event: String(event), handler: String(handler) };
    const isBound = handlers.some((known) => known.event === given.event && known.handler === given.handler);
    if (isBound) return [400, { error: 'ERROR_EVENT_BINDING_EXISTS' }];
    handlers.push(given);
    return [200, { result: true }];
  },
  'telephony.call.attachTranscription': ({ transcriptions }, { CALL_ID, MESSAGES }) => {
    transcriptions.push({ CALL_ID: String(CALL_ID), MESSAGES: MESSAGES as Record<string, unknown>[] });
    return [200, { result: { TRANSCRIPT_ID: transcriptions.length } }];
  },
  'crm.timeline.comment.add': ({ comments }, { fields }) => {
    const { ENTITY_TYPE, ENTITY_ID, COMMENT } = fields as Record<string, string>;
    const ID = comments.length + 1;
    comments.push({ ID, ENTITY_TYPE: `${ENTITY_TYPE}`, ENTITY_ID: `${ENTITY_ID}`, COMMENT: `${COMMENT}` });
    return [200, { result: ID }];
  },
  'crm.timeline.comment.list': ({ comments }, { filter }) => {
    const { ENTITY_TYPE, ENTITY_ID } = filter as Record<string, string>;
    const found = comments.filter((each) => each.ENTITY_TYPE === ENTITY_TYPE && each.ENTITY_ID === `${ENTITY_ID}`);
    return [200, { result: found.toReversed(), total: found.length }];
  },
  batch: (rest, { cmd }) => {
    const result: Record<string, unknown> = {};
    const errors: Record<string, unknown> = {};
    for (const [name, command] of Object.entries(cmd as Record<string, string>)) {
      const [method = '', query = ''] = command.split('?', 2);
      const [status, body] = rest.answer(method, readQuery(query));
      if (status === 200) result[name] = (body as { result: unknown }).result;
      else errors[name] = body;
    }
    return [200, { result: { result, result_error: errors, result_total: {}, result_next: {} } }];
  },
};

/** `FILTER[>=CALL_START_DATE]=…` as PHP reads it. */
function readQuery(query: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [field, value] of new URLSearchParams(query)) {
    const [, name, key] = /^(\w+)\[(.+)\]$/.exec(field) ?? [];
    if (name === undefined || key === undefined) values[field] = value;
    else values[name] = { ...(values[name] as object), [key]: value };
  }
  return values;
}

function matches(row: StatisticRow, filter: Record<string, string>): boolean {
  return Object.entries(filter).every(([condition, value]) => {
    if (condition === 'CALL_ID') return row.CALL_ID === value;
    if (condition !== '>=CALL_START_DATE') throw new Error(`The portal of the tests knows no filter ${condition}.`);
    return Date.parse(String(row['CALL_START_DATE'])) >= Date.parse(value);
  });
}
