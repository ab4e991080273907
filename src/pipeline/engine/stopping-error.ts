/** Why something was not begun: the process is about to end, and could not wait for what comes of it. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError';

  constructor() {
    super('The service is stopping.');
  }
}
