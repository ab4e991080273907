/** The CRM's word for it; a portal's custom kinds have only a number. */
export function wordOf(entityType: string): string {
  return ['deal', 'lead', 'contact', 'company', 'order', 'invoice', 'quote'].includes(entityType) ? entityType : 'item';
}
