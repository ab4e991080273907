import * as z from 'zod/mini';
import type { UploadFacts } from './facts.ts';

export type SendRequest = {
  file: File;
  facts: UploadFacts;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Share of the file that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
};

export type SendAnswer =
  | { kind: 'accepted'; recordId: string }
  | { kind: 'refused'; status: number; message: string; retryAfterMs: number | null }
  | { kind: 'unreachable' }
  /** Changed, moved or deleted since it was chosen: browsers do not send such a file. */
  | { kind: 'unreadable' }
  | { kind: 'aborted' };

const Receipt = z.object({ data: z.object({ id: z.string() }) });
const Refusal = z.object({ error: z.object({ message: z.string() }) });

/** Uploads one file with XMLHttpRequest, the only API that reports upload progress. */
export function sendFile({ file, facts, headers, signal, onProgress }: SendRequest): Promise<SendAnswer> {
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', '/api/v1/records/upload');
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    xhr.addEventListener('load', () => resolve(answerOf(xhr)));
    xhr.addEventListener(
      'error',
      () => void isReadable(file).then((is) => resolve({ kind: is ? 'unreachable' : 'unreadable' })),
    );
    xhr.addEventListener('abort', () => resolve({ kind: 'aborted' }));
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    if (signal.aborted) return resolve({ kind: 'aborted' });
    xhr.send(formOf(file, facts));
  });
}

/** The project comes first, so that a wrong one is reported before the file has been received. */
function formOf(file: File, { projectId, ...metadata }: UploadFacts): FormData {
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('metadata', JSON.stringify(metadata));
  form.set('file', file, file.name);
  return form;
}

async function isReadable(file: File): Promise<boolean> {
  const firstByte = file.slice(0, 1).arrayBuffer();
  return firstByte.then(
    () => true,
    () => false,
  );
}

function answerOf(xhr: XMLHttpRequest): SendAnswer {
  const body = parse(xhr.responseText);
  const receipt = Receipt.safeParse(body);
  if (xhr.status < 300 && receipt.success) return { kind: 'accepted', recordId: receipt.data.data.id };
  const seconds = Number(xhr.getResponseHeader('Retry-After') ?? Number.NaN);
  return {
    kind: 'refused',
    status: xhr.status,
    message: Refusal.safeParse(body).data?.error.message ?? `The service answered ${xhr.status}.`,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
