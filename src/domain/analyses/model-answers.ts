import { and, eq, inArray } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { modelAnswers } from '../../db/schema/index.ts';
import type { KeyedAnswers } from '../../model/model-answers.ts';

/**
 * Answers are keyed by question. Older releases keyed them by position in a prompt; those are not found, and asked for
 * again.
 */
const form = 'keyed:';

/** A model's answers about one part of a call, and the tokens that they took. */
export type StoredAnswer = { answers: KeyedAnswers; inputTokens: number; outputTokens: number };

export async function hasModelAnswer(tx: OrgTx, recordId: string, digest: string): Promise<boolean> {
  const rows = await tx
    .select({ digest: modelAnswers.digest })
    .from(modelAnswers)
    .where(ofRecord(tx, recordId, [digest]));
  return rows.length > 0;
}

/** The first answer wins: of two concurrent ones only one is used and charged. */
export async function insertModelAnswer(
  tx: OrgTx,
  { recordId, digest, answer }: { recordId: string; digest: string; answer: StoredAnswer },
): Promise<void> {
  await tx
    .insert(modelAnswers)
    .values({ orgId: tx.orgId, recordId, digest: form + digest, ...answer })
    .onConflictDoNothing();
}

/** In the order of the digests; null if one is missing. */
export async function selectModelAnswers(
  tx: OrgTx,
  recordId: string,
  digests: readonly string[],
): Promise<StoredAnswer[] | null> {
  const { digest, answers, inputTokens, outputTokens } = modelAnswers;
  const rows = await tx
    .select({ digest, answers, inputTokens, outputTokens })
    .from(modelAnswers)
    .where(ofRecord(tx, recordId, digests));
  const found = digests.flatMap((each) => rows.find((row) => row.digest === form + each) ?? []);
  return found.length === digests.length ? found : null;
}

export async function deleteModelAnswers(tx: OrgTx, recordId: string): Promise<void> {
  await tx.delete(modelAnswers).where(ofRecord(tx, recordId));
}

function ofRecord(tx: OrgTx, recordId: string, digests?: readonly string[]) {
  return and(
    eq(modelAnswers.orgId, tx.orgId),
    eq(modelAnswers.recordId, recordId),
    digests &&
      inArray(
        modelAnswers.digest,
        digests.map((digest) => form + digest),
      ),
  );
}
