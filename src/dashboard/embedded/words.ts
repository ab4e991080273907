/** What the CRM calls it; kinds that a portal made of its own have but a number. */
export function wordOf(entityType: string): string {
  return ['deal', 'lead', 'contact', 'company', 'order', 'invoice', 'quote'].includes(entityType) ? entityType : 'item';
}
