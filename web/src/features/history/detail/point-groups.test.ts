import { expect, test } from 'vitest';
import { creditSum, groupPoints } from './point-groups.ts';

const point = (state: 'covered' | 'partial' | 'missing', weight: number, credit: number) => ({
  text: `${state} ${weight}`,
  covered: state === 'covered',
  evidence: '',
  state,
  weight,
  credit,
});

test('credits add up in the order in which the points are shown', () => {
  const points = [point('missing', 40, 4), point('covered', 20, 18), point('partial', 20, 9), point('covered', 20, 20)];
  expect(groupPoints(points).map((group) => [group.state, group.points.length])).toEqual([
    ['covered', 2],
    ['partial', 1],
    ['missing', 1],
  ]);
  expect(creditSum(points, 51)).toBe('18 + 20 + 9 + 4 = 51 %');
});

test('no sum is shown if it does not add up or points have no credits', () => {
  expect(creditSum([point('covered', 100, 60)], 61)).toBeNull();
  expect(creditSum([{ text: 'Old', covered: true, evidence: 'said' }], 60)).toBeNull();
  expect(creditSum([], 0)).toBeNull();
});

test('points of older verdicts are grouped by whether they are covered', () => {
  const points = [
    { text: 'A', covered: false, evidence: '' },
    { text: 'B', covered: true, evidence: 'b' },
  ];
  expect(groupPoints(points).map(({ state }) => state)).toEqual(['covered', 'missing']);
});
