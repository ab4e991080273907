import type { Frame } from '../lib/settings.ts';

/** The entity that the user sees in the CRM. */
export type Entity = { entityType: string; entityId: string };

/** The entity of a frame on its page, such as `CRM_DEAL_DETAIL_TAB`; null for other frames. */
export function entityOf({ placement, entityId }: Pick<Frame, 'placement' | 'entityId'>): Entity | null {
  const [, kind] = /^CRM_([A-Z0-9_]+?)_DETAIL_[A-Z_]+$/.exec(placement) ?? [];
  return kind !== undefined && entityId !== null ? { entityType: kind.toLowerCase(), entityId } : null;
}

/** The first screen in a frame. */
export function entryOf(frame: Frame): string {
  const entity = entityOf(frame);
  return entity ? `/crm/${encodeURIComponent(entity.entityType)}/${encodeURIComponent(entity.entityId)}` : '/calls';
}
