import { isMailAddress } from '../../lib/mailbox.ts';

/**
 * The form in which addresses are compared and counted: without case, and with one spelling for characters that look
 * alike. Texts that cannot be an address share one form, so that nobody escapes a count by inventing them.
 */
export function addressKey(typed: string): string {
  const text = typed.normalize('NFKC').trim();
  return isMailAddress(text) ? text.toLowerCase() : '';
}
