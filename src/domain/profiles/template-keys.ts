/** The ready-made profiles: the standard rubric and one for each usual line of calls. */
export const templateKeys = ['service', 'sales', 'support', 'collections'] as const;
export type TemplateKey = (typeof templateKeys)[number];
