import type { Header } from './manifest.ts';

export type TargetKeys = {
  /** Names of the keys in SECRETS_KEY; null if it is not set. */
  configured: string[] | null;
  /** Name of the key in the data folder. */
  own: string | null;
};

/**
 * Whether the key in the backup must be stored in the data folder. Throws if sealed secrets of the backup could not be
 * opened afterwards.
 */
export function isKeyToBeKept({ sealedBy, ownKey }: Header, { configured, own }: TargetKeys): boolean {
  if (configured) {
    const lacking = sealedBy.filter((name) => !configured.includes(name));
    if (lacking.length === 0) return false;
    throw new Error(
      `Secrets in the backup are sealed with key ${lacking.join(', ')}, which SECRETS_KEY does not contain. ` +
        `Put it behind the present one: SECRETS_KEY=present,${ownKey === null ? 'former' : 'what secrets.key.0000 in the backup holds'}.`,
    );
  }
  if (own !== null && ownKey !== null && own !== ownKey) {
    throw new Error('secrets.key in DATA_DIR differs from the key in the backup. Restore into a new DATA_DIR.');
  }
  const lacking = sealedBy.filter((name) => name !== own && name !== ownKey);
  if (lacking.length === 0) return ownKey !== null && own === null;
  throw new Error(
    `Secrets in the backup are sealed with key ${lacking.join(', ')}, which the backup does not hold: it was the SECRETS_KEY of ` +
      'the service. Set SECRETS_KEY to it.',
  );
}
