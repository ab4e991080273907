/** A message for the operator if a model cannot be fetched, listed or removed. */
export class ModelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelError';
  }
}
