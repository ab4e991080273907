type Listener = (files: File[]) => void;

let listener: Listener | null = null;
let waiting: File[] | null = null;

/** Opens the upload form from any screen, with files if some were chosen. */
export function requestUpload(files: File[] = []): void {
  if (listener) return listener(files);
  waiting = [...(waiting ?? []), ...files];
}

/** For the component with the form. It loads after the first paint, so a request may come before. */
export function onUploadRequest(answer: Listener): () => void {
  listener = answer;
  if (waiting) answer(waiting);
  waiting = null;
  return () => {
    listener = null;
  };
}
