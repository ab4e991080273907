export type Span = { startMs: number; endMs: number };

export type PlayerState = {
  isPlaying: boolean;
  /** Waits for the recording to arrive. */
  isWaiting: boolean;
  rate: number;
  isSkippingSilence: boolean;
  /** Why nothing can be played; null if all is well. */
  problem: unknown;
};

export const rates = [0.75, 1, 1.25, 1.5, 1.75, 2] as const;
const restartsMax = 3;
/** Part of a silence that is still played on both sides. */
const silenceMarginMs = 300;

/** One recording, outside React: the time changes every frame, and only what shows it should rerender. */
export class Player {
  readonly #audio = new Audio();
  readonly #listeners = new Set<() => void>();
  #state: PlayerState = { isPlaying: false, isWaiting: false, rate: 1, isSkippingSilence: false, problem: null };
  #silences: Span[] = [];
  #address: (() => Promise<string>) | null = null;
  /** Where to continue as soon as there is something to play. */
  #pendingMs: number | null = 0;
  #isWanted = false;
  #restarts = 0;
  #frame = 0;

  constructor() {
    this.#audio.preload = 'metadata';
    this.#audio.preservesPitch = true;
    this.#listen();
  }

  readonly state = (): PlayerState => this.#state;

  readonly timeMs = (): number => this.#pendingMs ?? this.#audio.currentTime * 1000;

  /** Called on every change of state and, while playing, on every frame. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Loads the recording from the given address, now and after it expires. Returns a function that undoes this. */
  attach(address: () => Promise<string>): () => void {
    this.#address = address;
    void this.#load();
    return () => {
      this.#address = null;
      this.pause();
      this.#audio.removeAttribute('src');
      this.#audio.load();
    };
  }

  readonly play = (): void => {
    if (!this.#address) return;
    this.#isWanted = true;
    if (this.#state.problem !== null || !this.#audio.hasAttribute('src')) {
      this.#restarts = 0;
      this.#change({ problem: null });
      void this.#load();
      return;
    }
    void this.#audio.play().catch((error: unknown) => {
      if (!isInterrupted(error) && this.#audio.error === null) this.#change({ problem: error });
    });
  };

  readonly pause = (): void => {
    this.#isWanted = false;
    this.#audio.pause();
  };

  readonly toggle = (): void => (this.#state.isPlaying ? this.pause() : this.play());

  seek(ms: number): void {
    const target = Math.max(0, ms);
    // The recording may be loaded already, but the pending position still has to be applied.
    const isPending = this.#pendingMs !== null || this.#audio.readyState === HTMLMediaElement.HAVE_NOTHING;
    if (isPending) this.#pendingMs = target;
    else this.#audio.currentTime = target / 1000;
    this.#tell();
  }

  setRate(rate: number): void {
    this.#audio.playbackRate = rate;
    this.#change({ rate });
  }

  setSkipSilence(isSkippingSilence: boolean): void {
    this.#change({ isSkippingSilence });
  }

  /** Stretches to skip if silences are skipped, in order. */
  setSilences(silences: Span[]): void {
    this.#silences = silences;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #change(part: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...part };
    this.#tell();
  }

  readonly #tick = (): void => {
    const now = this.timeMs();
    const silence = this.#state.isSkippingSilence ? this.#silences.find((span) => isWithin(now, span)) : undefined;
    if (silence) this.seek(silence.endMs - silenceMarginMs);
    else this.#tell();
    this.#frame = requestAnimationFrame(this.#tick);
  };

  async #load(): Promise<void> {
    const address = this.#address;
    if (!address) return;
    this.#change({ isWaiting: true });
    try {
      const url = await address();
      if (address !== this.#address) return;
      this.#pendingMs ??= this.#audio.currentTime * 1000;
      this.#audio.src = url;
      this.#audio.playbackRate = this.#state.rate;
      if (this.#isWanted) await this.#audio.play();
    } catch (error) {
      if (address === this.#address && !isInterrupted(error)) this.#change({ problem: error, isWaiting: false });
    }
  }

  #listen(): void {
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void): void =>
      this.#audio.addEventListener(name, listener);
    on('loadedmetadata', () => {
      if (this.#pendingMs !== null) this.#audio.currentTime = this.#pendingMs / 1000;
      this.#pendingMs = null;
      this.#audio.playbackRate = this.#state.rate;
      this.#change({ problem: null, isWaiting: false });
    });
    on('play', () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(this.#tick);
      this.#change({ isPlaying: true });
    });
    on('pause', () => {
      cancelAnimationFrame(this.#frame);
      this.#change({ isPlaying: false });
    });
    on('ended', () => void (this.#isWanted = false));
    on('waiting', () => this.#change({ isWaiting: true }));
    on('playing', () => this.#change({ isWaiting: false }));
    on('seeked', () => this.#tell());
    on('error', () => this.#fail());
  }

  /** The address may have expired: request a new one and continue from the same position. */
  #fail(): void {
    if (!this.#address || !this.#audio.hasAttribute('src')) return;
    this.#pendingMs ??= this.#audio.currentTime * 1000;
    this.#restarts += 1;
    if (this.#restarts <= restartsMax) void this.#load();
    else this.#change({ isPlaying: false, isWaiting: false, problem: new Error('The recording cannot be played.') });
  }
}

function isWithin(ms: number, { startMs, endMs }: Span): boolean {
  return ms > startMs + silenceMarginMs && ms < endMs - 2 * silenceMarginMs;
}

/** Another seek or pause came before playback started, which is not an error. */
function isInterrupted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
