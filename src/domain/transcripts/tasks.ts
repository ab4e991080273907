export type { KeptTranscript } from './kept-transcript.ts';
export { assertCountable, parseSuppliedTranscript } from './supplied-transcript.ts';
export { formatKeptTranscript } from './transcript-formats.ts';
