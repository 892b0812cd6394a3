import type { GroupPerson } from '@interview-prep/contracts/auth/groups';
import type { RosterRow } from '@interview-prep/contracts/history/rosters';
import { type Assignment, dueFor } from '@interview-prep/contracts/recording/assignments';

/** A member's progress. `overdue`: past due and not done; `late`: done, but started after it was due. */
export const rosterStates = ['not-started', 'in-progress', 'overdue', 'done', 'late'] as const;
export type RosterState = (typeof rosterStates)[number];

export const stateNames: Readonly<Record<RosterState, { label: string; color: string }>> = {
  'not-started': { label: 'Not started', color: 'gray' },
  'in-progress': { label: 'In progress', color: 'indigo' },
  overdue: { label: 'Overdue', color: 'red' },
  done: { label: 'Done', color: 'teal' },
  late: { label: 'Done late', color: 'orange' },
};

export interface RosterMember {
  person: GroupPerson;
  state: RosterState;
  /** When it is due for them; null if never. */
  dueAt: string | null;
  /** Whether they have an extension. */
  extended: boolean;
  /** Absent until they begin. */
  row?: RosterRow;
}

/** The sortable columns; missing values sort last. */
export type SortKey = 'name' | 'state' | 'takes' | 'best' | 'latest' | 'change' | 'spoken' | 'last';

export function nameOf({ person: { name, email } }: RosterMember): string {
  return name ?? email;
}

/** The latest score minus the first; null with fewer than two. */
export function changeOf({ takes, first, latest }: Pick<RosterRow, 'takes' | 'first' | 'latest'>): number | null {
  return takes > 1 && first !== null && latest !== null ? latest - first : null;
}

/** All members who have the assignment, with their state at the given time. */
export function rosterOf(
  people: readonly GroupPerson[],
  rows: readonly RosterRow[],
  assignment: Pick<Assignment, 'sets' | 'dueAt' | 'memberIds' | 'extensions'>,
  now: number,
): RosterMember[] {
  const { sets, memberIds } = assignment;
  const wanted = new Set(memberIds ?? people.map(({ userId }) => userId));
  return people
    .filter(({ role, userId }) => role === 'member' && wanted.has(userId))
    .map((person) => {
      const dueAt = dueFor(assignment, person.userId);
      const isOverdue = dueAt !== null && Date.parse(dueAt) < now;
      const row = rows.find(({ userId }) => userId === person.userId);
      const isDone = row !== undefined && sets.every(({ setId }) => row.doneSetIds.includes(setId));
      const open = isOverdue ? 'overdue' : row ? 'in-progress' : 'not-started';
      const state = isDone ? (row.late ? 'late' : 'done') : open;
      return { person, state, dueAt, extended: dueAt !== assignment.dueAt, ...(row ? { row } : {}) };
    });
}

const values: Record<Exclude<SortKey, 'name'>, (member: RosterMember) => number | null> = {
  state: ({ state }) => rosterStates.indexOf(state),
  takes: ({ row }) => row?.takes ?? 0,
  best: ({ row }) => row?.best ?? null,
  latest: ({ row }) => row?.latest ?? null,
  change: ({ row }) => (row ? changeOf(row) : null),
  spoken: ({ row }) => row?.spokenMs ?? 0,
  last: ({ row }) => (row ? Date.parse(row.lastAt) : null),
};

/** Sorts by a column, then by name. */
export function sortRoster(members: readonly RosterMember[], key: SortKey, descending: boolean): RosterMember[] {
  const byName = (a: RosterMember, b: RosterMember) => nameOf(a).localeCompare(nameOf(b), 'en');
  if (key === 'name') return members.toSorted((a, b) => (descending ? -1 : 1) * byName(a, b));
  return members.toSorted((a, b) => {
    const [left, right] = [values[key](a), values[key](b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null) || byName(a, b);
    return (descending ? right - left : left - right) || byName(a, b);
  });
}
