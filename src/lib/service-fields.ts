/**
 * Fields that only the service sets. A request that sends one gets that explanation instead of a spelling suggestion.
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
