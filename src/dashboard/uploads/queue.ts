import type { UploadFacts } from './facts.ts';
import { fileSizeBytesMax } from './file-types.ts';
import { explainRefusal, tooLarge, unreachable, unreadable, type Refusal } from './refusals.ts';
import type { SendAnswer } from './send.ts';

export type UploadState =
  | { kind: 'queued' }
  | { kind: 'sending'; share: number }
  | { kind: 'failed'; message: string }
  | { kind: 'accepted'; recordId: string };

export type Upload = {
  id: string;
  orgId: string;
  file: File;
  facts: UploadFacts;
  /** Sent with every attempt, so that a file whose answer was lost does not become two calls. */
  idempotencyKey: string;
  attempts: number;
  state: UploadState;
};

export type Uploads = {
  items: Upload[];
  /** Why nothing is sent until the user acts. */
  pausedBecause: string | null;
  /** Until when the service asked to wait (epoch milliseconds), and why. */
  waiting: { untilMs: number; because: string } | null;
};

type Send = (
  upload: Upload,
  options: { signal: AbortSignal; onProgress: (share: number) => void },
) => Promise<SendAnswer>;
export type UploadQueue = ReturnType<typeof createUploadQueue>;

const sendingMax = 2;
const attemptsMax = 5;
const patienceMs = 3_000;

/** Uploads files, a few at a time. Lives as long as the page, whatever screen is open. */
export function createUploadQueue({ send, newId }: { send: Send; newId: () => string }) {
  let now: Uploads = { items: [], pausedBecause: null, waiting: null };
  const listeners = new Set<() => void>();
  const sending = new Map<string, AbortController>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function publish(part: Partial<Uploads>): void {
    now = { ...now, ...part };
    for (const listener of listeners) listener();
  }
  function change(id: string, part: Partial<Upload>): void {
    publish({ items: now.items.map((item) => (item.id === id ? { ...item, ...part } : item)) });
  }
  function pump(): void {
    if (now.pausedBecause !== null || now.waiting !== null) return;
    for (const item of now.items) {
      if (sending.size >= sendingMax) return;
      if (item.state.kind === 'queued') void start(item);
    }
  }
  async function start(item: Upload): Promise<void> {
    const abort = new AbortController();
    sending.set(item.id, abort);
    change(item.id, { attempts: item.attempts + 1, state: { kind: 'sending', share: 0 } });
    const onProgress = (share: number): void => change(item.id, { state: { kind: 'sending', share } });
    const answer = await send(item, { signal: abort.signal, onProgress });
    sending.delete(item.id);
    settle({ ...item, attempts: item.attempts + 1 }, answer);
    pump();
  }
  function settle(item: Upload, answer: SendAnswer): void {
    if (answer.kind === 'aborted') return;
    if (answer.kind === 'accepted') {
      return change(item.id, { state: { kind: 'accepted', recordId: answer.recordId }, attempts: 0 });
    }
    const refusal = refusalOf(answer);
    if (refusal.isPassing && item.attempts < attemptsMax) {
      change(item.id, { state: { kind: 'queued' } });
      return wait((answer.kind === 'refused' ? answer.retryAfterMs : null) ?? patienceMs, refusal);
    }
    // The service stores answers by key, but not failures: the request may have been carried out all the same.
    const isAnswered = answer.kind === 'refused' && answer.status < 500;
    const state = { kind: 'failed', message: refusal.message } as const;
    change(item.id, { state, ...(isAnswered && { idempotencyKey: newId() }) });
    if (refusal.concernsAll) publish({ pausedBecause: refusal.message });
  }
  function wait(durationMs: number, { message }: Refusal): void {
    const untilMs = Math.max(Date.now() + durationMs, now.waiting?.untilMs ?? 0);
    publish({ waiting: { untilMs, because: message } });
    clearTimeout(timer);
    timer = setTimeout(goOn, untilMs - Date.now());
  }
  function goOn(): void {
    clearTimeout(timer);
    publish({ waiting: null, pausedBecause: null });
    pump();
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    snapshot: (): Uploads => now,
    add({ orgId, files, facts }: { orgId: string; files: readonly File[]; facts: UploadFacts }): void {
      const added = files.map((file): Upload => {
        const state: UploadState =
          file.size > fileSizeBytesMax ? { kind: 'failed', message: tooLarge } : { kind: 'queued' };
        return { id: newId(), orgId, file, facts, idempotencyKey: newId(), attempts: 0, state };
      });
      publish({ items: [...now.items, ...added] });
      pump();
    },
    /** Retries failed uploads; without an id, all of them. */
    retry(id?: string): void {
      const isMeant = (item: Upload): boolean => item.state.kind === 'failed' && (id === undefined || item.id === id);
      const again = (item: Upload): Upload => ({ ...item, attempts: 0, state: { kind: 'queued' } });
      publish({ items: now.items.map((item) => (isMeant(item) ? again(item) : item)) });
      goOn();
    },
    goOn,
    /** Removes it from the list; a running upload is aborted. */
    remove(id: string): void {
      const abort = sending.get(id);
      publish({ items: now.items.filter((item) => item.id !== id) });
      abort?.abort();
      if (!now.items.some(isOpen)) publish({ waiting: null, pausedBecause: null });
    },
    /** Removes finished and failed uploads. */
    clear(): void {
      publish({ items: now.items.filter(isOpen), pausedBecause: null });
    },
  };
}

function refusalOf(answer: Exclude<SendAnswer, { kind: 'accepted' | 'aborted' }>): Refusal {
  if (answer.kind === 'unreachable') return unreachable;
  return answer.kind === 'unreadable' ? unreadable : explainRefusal(answer);
}

/** Not sent yet. */
export function isOpen({ state }: Upload): boolean {
  return state.kind === 'queued' || state.kind === 'sending';
}
