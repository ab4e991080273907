import { StartError } from '../../lib/start-error.ts';

/** The database is not what this release needs. The message names what is wrong and what to do. */
export class SchemaError extends StartError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'SchemaError';
  }
}

const namesMax = 8;

/** A few names, and the number of the others. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(', ');
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown;
}
