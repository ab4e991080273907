import { Agent } from 'undici';

/**
 * For providers that answer only when a long recording is heard or a model has finished writing: undici ends a request
 * after five minutes. Callers set a time limit of their own.
 */
export const patientAgent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 15_000 });
