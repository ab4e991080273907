export type CallKey = { memberId: string; callId: string };

const scheme = 'bitrix24:';

/** Stored instead of the recording's address, since addresses of portals contain tokens and expire. */
export function recordingReference({ memberId, callId }: CallKey): string {
  return `${scheme}${encodeURIComponent(memberId)}/${encodeURIComponent(callId)}`;
}

/** Null for an address. */
export function parseRecordingReference(text: string): CallKey | null {
  if (!text.startsWith(scheme)) return null;
  const [memberId = '', callId = ''] = text.slice(scheme.length).split('/').map(decodeURIComponent);
  return { memberId, callId };
}
