import type { Messages } from '../table.ts';
import { answers } from './answers.ts';
import { ban, deed } from './deeds.ts';
import { coaching, summary, tasks } from './report.ts';

export const spanish: Messages = { language: 'es', answers, deed, ban, summary, tasks, coaching };
