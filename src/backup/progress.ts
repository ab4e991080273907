/** How far a backup or a restore has come. */
export type Progress = { what: 'tables' | 'recordings'; done: number; total: number; sizeBytes: number };
