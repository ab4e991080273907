export { createRecord } from './create-record.ts';
export { assertRetained, reserveAgain, startAgain, startOver } from './start-over.ts';
export { ingestRecord } from './ingest.ts';
export {
  beginUpload,
  cancelUpload,
  createUploadedRecord,
  requireUploadProject,
  type UploadedRecording,
} from './upload.ts';
