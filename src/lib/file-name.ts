import { parse } from 'content-disposition';

/**
 * The name that a server gives a file: `Content-Disposition` (RFC 6266), else the last part of the URL's path. For
 * display only; never used as a path.
 */
export function fileNameOf(contentDisposition: string | undefined, url: string): string | null {
  const named = contentDisposition === undefined ? undefined : parseFileName(contentDisposition);
  return cleanFileName(named ?? lastPathPart(url));
}

/** Drops folders and control characters, and cuts to 255 characters. Null if nothing is left. */
export function cleanFileName(name: string): string | null {
  const base = name.replaceAll('\\', '/').split('/').at(-1) ?? '';
  // Format characters go too: they can reverse the visible order of a name.
  const clean = base.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  const cut = Array.from(clean).slice(-255).join('');
  return cut === '' || cut === '.' || cut === '..' ? null : cut;
}

function parseFileName(header: string): string | undefined {
  try {
    return parse(header).parameters['filename'];
  } catch {
    return undefined;
  }
}

function lastPathPart(url: string): string {
  const part = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
