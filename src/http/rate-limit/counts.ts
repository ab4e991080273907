/** A client's count after a request. */
export type Taken = {
  isAllowed: boolean;
  /** Requests that may follow immediately. */
  remaining: number;
  /** Time until the oldest counted request leaves the window and makes room for another. */
  resetMs: number;
  /** Identifies the counted request for `giveBack`; meaningless for a refused one. */
  ticket: number | string;
};

/**
 * Counts requests by client over a sliding window. Refused requests are not counted: a client that waits as told gets
 * through.
 */
export type Counts = {
  take(client: string): Taken | Promise<Taken>;
  /** Uncounts a request that turned out to belong to another client. */
  giveBack(client: string, ticket: Taken['ticket']): void | Promise<void>;
  close(): Promise<void>;
};

export type CountsOptions = { limit: number; windowMs: number };
