/** Why the service cannot start, for whoever starts it: the message says what to do, and is all that is shown. */
export class StartError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StartError';
  }
}
