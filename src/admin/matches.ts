import { confirmAllMatches, decideMatch, listOpenMatches, type OpenMatch } from '../domain/matches/service.ts';
import { AppError } from '../lib/errors.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

export async function list(session: Session): Promise<Result> {
  const { system } = await session.database();
  const matches = await listOpenMatches(system);
  return { data: matches, text: matches.length === 0 ? 'Nobody waits.' : textOf(matches) };
}

/** Throws NOT_FOUND, or CONFLICT for both or neither. */
export async function confirm(
  session: Session,
  id: string | undefined,
  { all = false }: { all?: boolean },
): Promise<Result> {
  if ((id === undefined) === !all) throw new AppError('CONFLICT', 'Name one match, or --all.');
  const { system } = await session.database();
  if (id !== undefined) {
    await decideMatch(system, { id, decision: 'confirm' });
    return { data: { confirmed: [id], left: [] }, text: `Confirmed ${id}` };
  }
  const { confirmed, left } = await confirmAllMatches(system);
  const text = [`Confirmed ${confirmed.length}`];
  if (confirmed.length > 0) text.push(textOf(confirmed));
  if (left.length > 0) text.push('Left, since several wait for the same person: confirm one by its id', textOf(left));
  return {
    data: { confirmed: confirmed.map((match) => match.id), left: left.map((match) => match.id) },
    text: text.join('\n'),
  };
}

/** Throws NOT_FOUND. */
export async function refuse(session: Session, id: string): Promise<Result> {
  const { system } = await session.database();
  await decideMatch(system, { id, decision: 'refuse' });
  return { data: { refused: id }, text: `Refused ${id}` };
}

function textOf(matches: OpenMatch[]): string {
  return table(
    matches.map(({ id, email, name, userId, issuer, isRefused, isAmbiguous }) => [
      id,
      isRefused ? 'refused' : isAmbiguous ? 'waiting, one of several' : 'waiting',
      email,
      name ?? '',
      userId,
      issuer,
    ]),
  );
}
