import { z } from 'zod';

export type Mailbox = { name: string; address: string };

/** The length that a server must accept and that a DNS name can have (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4). */
export const MailAddress = z
  .email()
  .max(254)
  .refine((text) => text.lastIndexOf('@') <= 64, 'The part before the @ has more than 64 characters')
  .refine(hasShortLabels, 'A part of the domain has more than 63 characters');

const { format, pattern, maxLength } = z.toJSONSchema(MailAddress);

/** The same for a person who types it, with spaces around it. */
export const TypedMailAddress = z.string().trim().pipe(MailAddress).meta({ format, pattern, maxLength });

/** Parses `Name <address>` or a bare address; null if it is neither, or could be read as several (RFC 5322, 3.4). */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', bracketed] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim();
  return isMailAddress(address) ? { name: name.trim(), address } : null;
}

function hasShortLabels(text: string): boolean {
  const domain = text.slice(text.lastIndexOf('@') + 1);
  return domain.split('.').every((label) => label.length <= 63);
}

/** Whether the text is exactly one address: no part of it can be read as another address or as the end of a line. */
export function isMailAddress(text: string): boolean {
  return MailAddress.safeParse(text).success;
}

/**
 * Whether mail can reach the address at all. `.invalid` never has a server (RFC 2606); we give it to people without an
 * address.
 */
export function isDeliverable(address: string): boolean {
  return isMailAddress(address) && !/[@.]invalid$/i.test(address);
}
