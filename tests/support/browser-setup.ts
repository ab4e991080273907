import { installHeadlessShell } from './browser.ts';

/** Once for all files that open pages, so that not each of them tries. */
export default async function setup(): Promise<void> {
  await installHeadlessShell();
}
