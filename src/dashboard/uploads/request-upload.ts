type Listener = (files: File[]) => void;

let listener: Listener | null = null;
let waiting: File[] | null = null;

/** Opens the form for uploads, from any screen; with the files where they are chosen already. */
export function requestUpload(files: File[] = []): void {
  if (listener) return listener(files);
  waiting = [...(waiting ?? []), ...files];
}

/** For what shows the form. It comes after the first paint, so somebody may have asked before. */
export function onUploadRequest(answer: Listener): () => void {
  listener = answer;
  if (waiting) answer(waiting);
  waiting = null;
  return () => {
    listener = null;
  };
}
