import { isOpen, type Upload } from './queue.ts';

/** Numbers of finished and failed files in words. */
export function inWords(items: Upload[]): string {
  const open = items.filter(isOpen).length;
  const failed = items.filter(({ state }) => state.kind === 'failed').length;
  const arrived = items.length - open - failed;
  if (open > 0) return `Uploading ${Math.min(arrived + 1, items.length)} of ${items.length}`;
  if (failed === 0) return arrived === 1 ? '1 file uploaded' : `${arrived} files uploaded`;
  return arrived === 0 ? `${failed} not uploaded` : `${arrived} uploaded, ${failed} not`;
}
