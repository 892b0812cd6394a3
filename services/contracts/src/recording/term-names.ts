import type { AssignmentTerms } from './assignments.ts';

/**
 * The names of an assignment's terms in a mail and on a screen, in the order in which they are listed. Not beside their schemas:
 * the first page has them.
 */
export const termNames: Readonly<Record<keyof AssignmentTerms, string>> = {
  title: 'title',
  opensAt: 'opening time',
  dueAt: 'due date',
  timeZone: 'time zone',
  takes: 'number of takes',
  timeLimitSeconds: 'time limit',
  minimumScore: 'wanted score',
  feedback: 'time of feedback',
  closesLate: 'late work',
};
