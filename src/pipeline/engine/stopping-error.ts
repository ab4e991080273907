/** Why something was not started: the process is about to end, and could not wait for the result. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError';

  constructor() {
    super('The service is stopping.');
  }
}
