/**
 * Fields of resources that no request sets. Where somebody sends one it is not misspelt: it is told that the service sets
 * it, rather than what it is like.
 */
const serviceFields = new Set([
  'id',
  'orgId',
  'createdAt',
  'updatedAt',
  'completedAt',
  'createdBy',
  'uploadedBy',
  'invitedBy',
  'author',
  'reviewer',
  'revision',
  'recordCount',
  'triggerCount',
  'lastTriggeredAt',
  'lastSeenAt',
  'lastUsedAt',
  'revokedAt',
  'disabledAt',
  'disabledReason',
  'reconciledAt',
  'contentDeletedAt',
  'secret',
]);

export function isSetByService(name: string): boolean {
  return serviceFields.has(name);
}
