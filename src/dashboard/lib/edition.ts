import { useState } from 'react';

/**
 * Options of a mutation that saves a form: it is refused with 412 if somebody else has changed what the form was filled
 * from. What is shown may be read again meanwhile; the form still holds the first.
 */
export function useEdition(shown: { updatedAt: Date } | null | undefined) {
  const [edition] = useState(shown?.updatedAt);
  return { trpc: { context: edition ? { edition } : {} } };
}
