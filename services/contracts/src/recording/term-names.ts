import type { AssignmentTerms } from './assignments.ts';

/**
 * Display names of an assignment's terms in mails and on screens, in the order of display. Not in the module of their schemas:
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
