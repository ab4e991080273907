import { READ_LANGUAGES } from '../../scoring/language.ts';
import type { Rubric } from '../../model/rubric.ts';
import { serviceTemplate } from './templates/service.ts';

/** `rubric.md`, check by check, as data: what every new organization starts with. */
export const defaultRubric: Rubric = serviceTemplate.rubricIn(READ_LANGUAGES);

/** The profile of a new organization. */
export const defaultProfile: { name: string; description: string; rubric: Rubric } = {
  name: serviceTemplate.name,
  description: serviceTemplate.description,
  rubric: defaultRubric,
};
