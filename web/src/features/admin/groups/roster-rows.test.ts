import type { GroupPerson } from '@interview-prep/contracts/auth/groups';
import type { RosterRow } from '@interview-prep/contracts/history/rosters';
import { expect, test } from 'vitest';
import { changeOf, nameOf, rosterOf, sortRoster } from './roster-rows.ts';

const at = '2026-11-20T10:00:00.000Z';
const dueAt = '2026-11-21T10:00:00.000Z';
const [before, after] = [Date.parse(at), Date.parse('2026-11-22T10:00:00.000Z')];
const personOf = (userId: string, role: GroupPerson['role'] = 'member'): GroupPerson => ({
  userId,
  email: `${userId}@example.com`,
  role,
  joinedAt: at,
});
const rowOf = (userId: string, changes: Partial<RosterRow> = {}): RosterRow => ({
  userId,
  takes: 1,
  doneSetIds: ['s1', 's2'],
  first: 40,
  latest: 40,
  best: 40,
  reviewedCount: 0,
  pendingCount: 0,
  spokenMs: 1000,
  late: false,
  lastAt: at,
  newest: { kind: 'interview', id: 'i1' },
  ...changes,
});
const sets = ['s1', 's2'].map((setId) => ({ setId, kind: 'interview' as const, title: setId, questionCount: 2 }));
const people = [personOf('coach', 'coach'), ...['ada', 'bob', 'cyd', 'dan'].map((id) => personOf(id))];
const rows = [rowOf('ada', { best: 90 }), rowOf('bob', { doneSetIds: ['s1'] }), rowOf('cyd', { late: true })];
const statesAt = (now: number, memberIds: string[] | null = null) =>
  rosterOf(people, rows, { sets, dueAt, memberIds }, now).map((member) => [nameOf(member), member.state]);

test('every member has a state, coaches have none, and only members who have the work are listed', () => {
  expect(statesAt(before)).toEqual([
    ['ada@example.com', 'done'],
    ['bob@example.com', 'in-progress'],
    ['cyd@example.com', 'late'],
    ['dan@example.com', 'not-started'],
  ]);
  expect(statesAt(after, ['bob', 'dan', 'coach'])).toEqual([
    ['bob@example.com', 'overdue'],
    ['dan@example.com', 'overdue'],
  ]);
});

test('a member with an extension is not overdue before it ends', () => {
  const extensions = [{ userId: 'dan', dueAt: '2026-11-23T10:00:00.000Z' }];
  const members = rosterOf(people, rows, { sets, dueAt, memberIds: ['bob', 'dan'], extensions }, after);
  expect(members).toMatchObject([
    { state: 'overdue', dueAt, extended: false },
    { state: 'not-started', dueAt: '2026-11-23T10:00:00.000Z', extended: true },
  ]);
});

test('sorts by a column; members without a value come last in either direction', () => {
  const members = rosterOf(people, rows, { sets, dueAt, memberIds: null }, before);
  const order = (descending: boolean) => sortRoster(members, 'best', descending).map((member) => member.person.userId);
  expect(order(true)).toEqual(['ada', 'bob', 'cyd', 'dan']);
  expect(order(false)).toEqual(['bob', 'cyd', 'ada', 'dan']);
  expect(sortRoster(members, 'state', false).map(({ state }) => state)).toEqual([
    'not-started',
    'in-progress',
    'done',
    'late',
  ]);
});

test('a change requires two takes with a score', () => {
  expect(changeOf(rowOf('a'))).toBeNull();
  expect(changeOf(rowOf('a', { takes: 2, latest: 65 }))).toBe(25);
  expect(changeOf(rowOf('a', { takes: 2, latest: null }))).toBeNull();
});
