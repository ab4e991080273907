import { answers } from './answers.ts';
import { ban, deed } from './deeds.ts';
import { coaching, summary, tasks } from './report.ts';

/** What reports and answers say. The tables of the other languages have the same entries. */
export const english = { language: 'en', answers, deed, ban, summary, tasks, coaching };
