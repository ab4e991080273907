import { isRead, READ_LANGUAGES, type ReadLanguage } from '../../scoring/languages/language.ts';
import { AppError } from '../../lib/errors.ts';
import type { Rubric } from '../../model/rubric.ts';
import type { ProfileTemplate } from './schemas.ts';
import type { TemplateKey } from './template-keys.ts';
import { collectionsTemplate } from './templates/collections.ts';
import { salesTemplate } from './templates/sales.ts';
import { serviceTemplate } from './templates/service.ts';
import { supportTemplate } from './templates/support.ts';
import type { Template } from './templates/template.ts';

const byKey: Record<TemplateKey, Template> = {
  service: serviceTemplate,
  sales: salesTemplate,
  support: supportTemplate,
  collections: collectionsTemplate,
};

export const profileTemplates: readonly Template[] = Object.values(byKey);

/** A template in some or all of its languages. Throws VALIDATION_ERROR for a language that it does not have. */
export function copyTemplate(
  key: TemplateKey,
  languages: readonly string[],
): { name: string; description: string; rubric: Rubric } {
  const { name, description, rubricIn } = byKey[key];
  const known = languages.filter((language): language is ReadLanguage => isRead(language));
  const missing = languages.findIndex((language) => !isRead(language));
  if (missing >= 0) {
    const message = `The template has no words for "${languages[missing] ?? ''}", only for ${READ_LANGUAGES.join(', ')}.`;
    throw new AppError('VALIDATION_ERROR', message, { details: [{ path: `languages.${String(missing)}`, message }] });
  }
  const chosen = [...new Set(known)];
  return { name, description, rubric: rubricIn(chosen.length > 0 ? chosen : READ_LANGUAGES) };
}

/** A template without its phrases. */
export function describeTemplate({ key, name, description, createdAt, rubricIn }: Template): ProfileTemplate {
  const rubric = rubricIn(['en']);
  return {
    key,
    name,
    description,
    languages: [...READ_LANGUAGES],
    createdAt,
    categories: rubric.categories.map(({ checks, ...category }) => ({
      ...category,
      checks: checks.map(({ key, title, weight, critical, kind }) => ({ key, title, weight, critical, kind })),
    })),
    compliance: rubric.compliance.map(({ key, title, severity, enabled }) => ({ key, title, severity, enabled })),
  };
}
