import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { InterviewItem } from '@interview-prep/contracts/history/history';
import { expect, test } from 'vitest';
import { iconOf } from '../../components/set-card.tsx';
import { lastTakenBySet } from '../../lib/api/progress-api.ts';
import { categoriesOf, pageOfSets } from './set-browser.tsx';

const setOf = (number: number, technologySlug: string): InterviewSet => ({
  _id: String(number),
  id: String(number),
  title: `Set ${number}`,
  technology: technologySlug,
  technologySlug,
  questions: ['Why?'],
  tags: [],
  status: 'published',
  createdBy: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
});
const sets = Array.from({ length: 23 }, (_, index) => setOf(index, index % 2 ? 'react' : 'sql'));

test('pills: all, then each named technology with its count', () => {
  const technologies = [
    { id: '1', name: 'React', slug: 'react' },
    { id: '2', name: ' ', slug: 'nameless' },
    { id: '3', name: 'Go', slug: 'go' },
  ];
  expect(categoriesOf(technologies, sets)).toEqual([
    { slug: '', label: 'All Categories', count: 23 },
    { slug: 'react', label: 'React', count: 11 },
    { slug: 'go', label: 'Go', count: 0 },
  ]);
});

test('ten sets per page, the rest on the last', () => {
  expect(pageOfSets(sets, '', 1, 10)).toMatchObject({ total: 23, pageCount: 3, page: 1 });
  expect(pageOfSets(sets, '', 3, 10).sets.map(({ _id }) => _id)).toEqual(['20', '21', '22']);
});

test.each([
  [0, 1],
  [99, 2],
  [Number.NaN, 1],
])('a page out of range is moved into it: %d → %d', (asked, page) => {
  expect(pageOfSets(sets, 'react', asked, 10).page).toBe(page);
});

test('a category without sets has one empty page', () => {
  expect(pageOfSets(sets, 'go', 1, 10)).toEqual({ total: 0, pageCount: 1, page: 1, sets: [] });
});

const itemOf = (userId: string, interviewSetId: string, createdAt: string, averageCorrectness: number | null) =>
  ({ userId, interviewSetId, createdAt, averageCorrectness }) as InterviewItem;

test("a set's last session is the user's own newest one", () => {
  const items = [
    itemOf('me', 'a', '2026-11-01T00:00:00.000Z', 40),
    itemOf('me', 'a', '2026-11-03T00:00:00.000Z', 72),
    itemOf('someone', 'a', '2026-11-05T00:00:00.000Z', 99),
    itemOf('me', 'b', '2026-11-02T00:00:00.000Z', null),
  ];
  expect(lastTakenBySet(items, 'me')).toEqual({
    a: expect.objectContaining({ at: '2026-11-03T00:00:00.000Z', average: 72 }),
    b: expect.objectContaining({ at: '2026-11-02T00:00:00.000Z', average: null }),
  });
});

test('the same title draws the same icon, another title a different one', () => {
  expect(iconOf('React hooks')).toEqual(iconOf('React hooks'));
  expect(iconOf('React hooks')).not.toEqual(iconOf('SQL joins'));
  for (const height of iconOf('React hooks').bars) {
    expect(height).toBeGreaterThanOrEqual(4);
    expect(height).toBeLessThanOrEqual(30);
  }
});
