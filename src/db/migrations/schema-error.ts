import { StartError } from '../../lib/start-error.ts';

/** The database is not what this release needs. The message says what is wrong, by name, and what to do. */
export class SchemaError extends StartError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'SchemaError';
  }
}

const namesMax = 8;

/** Names in a row, the rest counted. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(', ');
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown;
}
