import type { GroupPerson } from '@interview-prep/contracts/auth/groups';
import type { RosterAnswer, RosterQuestion } from '@interview-prep/contracts/history/rosters';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { paths, questionHash, sessionPath } from '../../../lib/paths.ts';
import { nameOf, rosterOf } from './roster-rows.ts';

/** A question with everyone's answers. */
export interface HeatMapColumn {
  key: string;
  /** 'Question 2', numbered within its set. */
  label: string;
  /** The set's title, if the assignment has more than one. */
  setTitle: string | null;
  question: RosterQuestion;
  answers: ReadonlyMap<string, RosterAnswer>;
}

/** A member with one answer per column; undefined for none. */
export interface HeatMapRow {
  person: GroupPerson;
  name: string;
  /** The path of their report. */
  report: string;
  answers: readonly (RosterAnswer | undefined)[];
  /** The average score, rounded; null without scores. */
  average: number | null;
}

/** The columns, in the order of the assignment's sets. */
export function heatMapColumns(questions: readonly RosterQuestion[], sets: Assignment['sets']): HeatMapColumn[] {
  return sets.flatMap(({ setId, title }) =>
    questions
      .filter((question) => question.setId === setId)
      .map((question, index) => ({
        key: `${setId} ${question.question}`,
        label: `Question ${index + 1}`,
        setTitle: sets.length > 1 ? title : null,
        question,
        answers: new Map(question.answers.map((answer) => [answer.userId, answer])),
      })),
  );
}

/** All members who have the assignment. */
export function heatMapRows(
  people: readonly GroupPerson[],
  assignment: Pick<Assignment, 'id' | 'groupId' | 'sets' | 'dueAt' | 'memberIds'>,
  columns: readonly HeatMapColumn[],
): HeatMapRow[] {
  return rosterOf(people, [], assignment, 0).map((member) => {
    const answers = columns.map((column) => column.answers.get(member.person.userId));
    const average = averageOf(answers.flatMap((answer) => answer?.score ?? []));
    const report = paths.memberReport(assignment.groupId, assignment.id, member.person.userId);
    return { person: member.person, name: nameOf(member), report, answers, average };
  });
}

/** Sorts by name, or by average: weakest first, members without one last. */
export function sortRows(rows: readonly HeatMapRow[], by: 'name' | 'average'): HeatMapRow[] {
  const byName = (a: HeatMapRow, b: HeatMapRow) => a.name.localeCompare(b.name, 'en');
  if (by === 'name') return rows.toSorted(byName);
  return rows.toSorted((a, b) => (a.average ?? 101) - (b.average ?? 101) || byName(a, b));
}

/** The rounded mean; null if empty. */
export function averageOf(scores: readonly number[]): number | null {
  return scores.length === 0 ? null : Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length);
}

/** The path of an answer's replay. */
export function answerPath(
  { kind }: Pick<RosterQuestion, 'kind'>,
  answer: Pick<RosterAnswer, 'sessionId' | 'questionId'>,
): string {
  return `${sessionPath(kind, answer.sessionId)}${questionHash(answer.questionId)}`;
}
