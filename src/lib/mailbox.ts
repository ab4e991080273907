import { z } from 'zod';

export type Mailbox = { name: string; address: string };

const mailAddress = z.email().max(254);

/** `Name <address>` or the bare address; null where it is neither, or could be read as more than one (RFC 5322, 3.4). */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', bracketed] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim();
  return isMailAddress(address) ? { name: name.trim(), address } : null;
}

/** One address and nothing else: none of it can be read as another one, or as the end of a line. */
export function isMailAddress(text: string): boolean {
  return mailAddress.safeParse(text).success;
}

/** Whether mail can be sent to it at all. `.invalid` never has a server (RFC 2606); people without an address get one there. */
export function isDeliverable(address: string): boolean {
  return isMailAddress(address) && !/[@.]invalid$/i.test(address);
}
