/** The templates: the standard rubric, and one for each usual kind of call. */
export const templateKeys = ['service', 'sales', 'support', 'collections'] as const;
export type TemplateKey = (typeof templateKeys)[number];
