import { Profile } from '../../../domain/profiles/schemas.ts';
import { JUDGED_SHARE_MIN, Rubric } from '../../../model/rubric.ts';
import { type Category, type Check, type ComplianceRule } from '../../../model/checks.ts';
import type { Outputs } from '../../lib/trpc.ts';
import '../../lib/readable-messages.ts';

export type StoredProfile = Outputs['profiles']['get'];

/** `uid` identifies rows while their keys and positions change; it is never sent. */
type Placed<T> = T & { uid: string };
export type DraftCheck = Placed<Check>;
export type DraftCategory = Omit<Category, 'checks'> & { uid: string; checks: DraftCheck[] };
export type DraftRule = Placed<ComplianceRule>;

export type Draft = {
  name: string;
  description: string;
  languages: string[];
  /** Undefined while the field is empty; the default then applies. */
  judgedShareMin: number | undefined;
  categories: DraftCategory[];
  compliance: DraftRule[];
};

export const newUid = (): string => crypto.randomUUID();

export function toDraft({ name, description, ...rubric }: StoredProfile): Draft {
  return { name, description, ...draftRubric(rubric) };
}

export function draftRubric(rubric: Rubric): Omit<Draft, 'name' | 'description'> {
  const { languages = [], judgedShareMin, categories, compliance } = rubric;
  return {
    languages,
    judgedShareMin,
    categories: categories.map(({ checks, ...category }) => ({
      ...category,
      uid: newUid(),
      checks: checks.map((check) => ({ ...check, uid: newUid() })),
    })),
    compliance: compliance.map((rule) => ({ ...rule, uid: newUid() })),
  };
}

/** In the service's format. */
export function toRubric({ languages, judgedShareMin, categories, compliance }: Draft): Rubric {
  return {
    languages,
    judgedShareMin: judgedShareMin ?? JUDGED_SHARE_MIN,
    categories: categories.map(({ uid: _uid, checks, ...category }) => ({
      ...category,
      checks: checks.map(({ uid: _checkUid, ...check }) => check),
    })),
    compliance: compliance.map(({ uid: _uid, ...rule }) => rule),
  };
}

/** Errors by the path of the field: `categories.0.checks.2.title`. Uses the service's schemas. */
export function findFaults(draft: Draft): ReadonlyMap<string, string> {
  const { name, description } = Profile.shape;
  const issues = [
    ...(name.safeParse(draft.name).error?.issues.map(({ message }) => ({ path: ['name'], message })) ?? []),
    ...(description.safeParse(draft.description).error?.issues.map(({ message }) => ({
      path: ['description'],
      message,
    })) ?? []),
    ...(Rubric.safeParse(toRubric(draft)).error?.issues ?? []),
  ];
  const faults = new Map<string, string>();
  for (const { path, message } of issues) {
    const place = path.map(String).join('.');
    if (!faults.has(place)) faults.set(place, message);
  }
  return faults;
}

export function replaceAt<T>(list: readonly T[], index: number, item: T): T[] {
  return list.map((other, place) => (place === index ? item : other));
}

export function removeAt<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, place) => place !== index);
}

/** One position up (-1) or down (1); at the ends it stays. */
export function moveBy<T>(list: readonly T[], index: number, step: -1 | 1): T[] {
  const to = index + step;
  const item = list[index];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  return removeAt(list, index).toSpliced(to, 0, item);
}

/** Moves it to the end of another category. */
export function moveCheck(draft: Draft, checkUid: string, categoryUid: string): Draft {
  const check = draft.categories.flatMap(({ checks }) => checks).find(({ uid }) => uid === checkUid);
  if (!check) return draft;
  const categories = draft.categories.map((category) => {
    const others = category.checks.filter(({ uid }) => uid !== checkUid);
    return { ...category, checks: category.uid === categoryUid ? [...others, check] : others };
  });
  return { ...draft, categories };
}

/** An unused key, such as `greeting.check2`. */
export function freeKey(draft: Draft, start: string): string {
  const taken = new Set([
    ...draft.categories.flatMap(({ key, checks }) => [key, ...checks.map((check) => check.key)]),
    ...draft.compliance.map(({ key }) => key),
  ]);
  for (let number = 1; ; number += 1) {
    const key = `${start}${number}`;
    if (!taken.has(key)) return key;
  }
}

export const shareOf = (weight: number, all: readonly { weight: number }[]): number => {
  const total = all.reduce((sum, part) => sum + (part.weight || 0), 0);
  return total > 0 ? (weight || 0) / total : 0;
};
