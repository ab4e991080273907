import { z } from 'zod';
import { unknownName } from './nearest-name.ts';
import { isSetByService } from './service-fields.ts';

/**
 * Validation messages for the person who sent the value, not for the author of the schema. A schema's own messages are
 * kept; kinds of mistakes not listed here get zod's message.
 */
export function useReadableMessages(): void {
  z.config({ customError: messageOf });
}

type Issue = z.core.$ZodRawIssue;

function messageOf(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Required.' : `Must be ${withArticle(issue.expected)}.`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `Must be ${String(issue.values[0])}.`
        : `Must be one of ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return `Must ${limitOf(issue.origin, issue.minimum, issue.inclusive ? 'at least' : 'more than')}.`;
    case 'too_big':
      return `Must ${limitOf(issue.origin, issue.maximum, issue.inclusive ? 'at most' : 'less than')}.`;
    case 'unrecognized_keys':
      return unknownFields(issue.keys, shapeOf(issue.inst)).join('\n');
    default:
      return undefined;
  }
}

/** Beyond this number they are no typos, and each is compared with every known name. */
export const fieldsNamedMax = 100;

/** One line for each field, in order: see `detailsOf`. */
function unknownFields(names: readonly string[], known: readonly string[]): string[] {
  return names.slice(0, fieldsNamedMax).map((name) => unknownField(name, known));
}

export function unknownField(name: string, known: readonly string[]): string {
  return isSetByService(name)
    ? `\`${name}\` is set by the service and cannot be given.`
    : unknownName('field', name, known);
}

function shapeOf(schema: Issue['inst']): string[] {
  const { shape } = (schema?._zod.def ?? {}) as { shape?: object };
  return Object.keys(shape ?? {});
}

function limitOf(origin: string, limit: number | bigint, comparison: string): string {
  const unit = units[origin];
  if (unit === undefined) return `be ${comparison} ${limit}`;
  if (comparison === 'at least' && Number(limit) === 1) return 'not be empty';
  return `have ${comparison} ${limit} ${Number(limit) === 1 ? unit.one : unit.many}`;
}

const units: Record<string, { one: string; many: string }> = {
  string: { one: 'character', many: 'characters' },
  array: { one: 'entry', many: 'entries' },
  set: { one: 'entry', many: 'entries' },
  record: { one: 'entry', many: 'entries' },
};

const names: Record<string, string> = { int: 'integer', record: 'object' };

function withArticle(type: string): string {
  const name = names[type] ?? type;
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}
