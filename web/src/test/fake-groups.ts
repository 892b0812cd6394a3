import type { GroupDetail, GroupPerson } from '@interview-prep/contracts/auth/groups';
import type { RosterRow } from '@interview-prep/contracts/history/rosters';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';

/** An id made of one repeated digit. */
export function idOf(digit: string): string {
  return digit.repeat(24);
}

/** The time of all events in these groups. */
export const groupsAt = '2026-11-20T10:00:00.000Z';

export function memberOf(userId: string, email: string, name?: string) {
  return { userId, email, role: 'member', joinedAt: groupsAt, ...(name ? { name } : {}) } satisfies GroupPerson;
}

/** A group as its coach sees it. */
export function groupOf(changes: Partial<GroupDetail> = {}): GroupDetail {
  return {
    id: idOf('a'),
    name: 'Class of 2027',
    archivedAt: null,
    role: 'coach',
    coaches: [],
    memberCount: changes.people?.length ?? 0,
    createdAt: groupsAt,
    people: [],
    invitations: [],
    joinCode: null,
    ...changes,
  };
}

/** An assignment of that group: one set of two questions, without limits. */
export function assignmentOf(changes: Partial<Assignment> = {}): Assignment {
  return {
    id: idOf('b'),
    groupId: idOf('a'),
    title: 'Week 1: Closures',
    opensAt: groupsAt,
    dueAt: null,
    timeZone: 'Europe/Berlin',
    takes: null,
    timeLimitSeconds: null,
    minimumScore: null,
    feedback: 'at-once',
    closesLate: false,
    sets: [{ kind: 'interview', setId: idOf('c'), title: 'Closures', questionCount: 2 }],
    memberIds: null,
    releasedAt: null,
    createdAt: groupsAt,
    ...changes,
  };
}

/** A member's progress on it: two takes. */
export function rosterRowOf(changes: Partial<RosterRow> = {}): RosterRow {
  return {
    userId: idOf('1'),
    takes: 2,
    doneSetIds: [idOf('c')],
    first: 80,
    latest: 70,
    best: 80,
    reviewedCount: 0,
    pendingCount: 0,
    spokenMs: 95_400,
    late: false,
    lastAt: groupsAt,
    newest: { kind: 'interview', id: idOf('d') },
    ...changes,
  };
}
