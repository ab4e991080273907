import { READ_LANGUAGES } from '../../scoring/languages/language.ts';
import type { Rubric } from '../../model/rubric.ts';
import { serviceTemplate } from './templates/service.ts';

/** The standard rubric, with which every new organization starts. */
export const defaultRubric: Rubric = serviceTemplate.rubricIn(READ_LANGUAGES);

/** The profile of a new organization. */
export const defaultProfile: { name: string; description: string; rubric: Rubric } = {
  name: serviceTemplate.name,
  description: serviceTemplate.description,
  rubric: defaultRubric,
};
