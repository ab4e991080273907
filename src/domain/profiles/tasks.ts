export { checkRubricJson } from './check-rubric.ts';
