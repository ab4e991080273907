import type { Messages } from '../table.ts';
import { answers } from './answers.ts';
import { ban, deed } from './deeds.ts';
import { coaching, summary, tasks } from './report.ts';

export const russian: Messages = { language: 'ru', answers, deed, ban, summary, tasks, coaching };
