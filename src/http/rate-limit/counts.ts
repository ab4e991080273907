/** What the count of a client says after a request. */
export type Taken = {
  isAllowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Until the oldest counted request leaves the window, and makes room for one more. */
  resetMs: number;
  /** Names the counted request, for `giveBack`; meaningless for one that was refused. */
  ticket: number | string;
};

/** Requests by client over a sliding window. A refused request is not counted: who waits as told is let in again. */
export type Counts = {
  take(client: string): Taken | Promise<Taken>;
  /** Uncounts a request that turned out to be another client's. */
  giveBack(client: string, ticket: Taken['ticket']): void | Promise<void>;
  close(): Promise<void>;
};

export type CountsOptions = { limit: number; windowMs: number };
