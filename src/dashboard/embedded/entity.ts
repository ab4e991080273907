import type { Frame } from '../lib/settings.ts';

/** What the reader has in view in the CRM. */
export type Entity = { entityType: string; entityId: string };

/** Of a frame that stands on the page of an entity, such as `CRM_DEAL_DETAIL_TAB`; null of any other. */
export function entityOf({ placement, entityId }: Pick<Frame, 'placement' | 'entityId'>): Entity | null {
  const [, kind] = /^CRM_([A-Z0-9_]+?)_DETAIL_[A-Z_]+$/.exec(placement) ?? [];
  return kind !== undefined && entityId !== null ? { entityType: kind.toLowerCase(), entityId } : null;
}

/** Where the app begins in a frame. */
export function entryOf(frame: Frame): string {
  const entity = entityOf(frame);
  return entity ? `/crm/${encodeURIComponent(entity.entityType)}/${encodeURIComponent(entity.entityId)}` : '/calls';
}
