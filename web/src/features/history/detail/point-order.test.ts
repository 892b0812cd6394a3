import type { Point, PointState } from '@interview-prep/contracts/recording/recordings';
import { expect, test } from 'vitest';
import { creditSum, orderPoints } from './point-text.tsx';

const point = (state: PointState, weight: number, credit: number): Point => ({
  text: `${state} ${weight}`,
  covered: state === 'covered',
  evidence: '',
  state,
  weight,
  credit,
});

test('credits add up in the order in which the points are shown', () => {
  const points = [
    point('missing', 30, 0),
    point('contradicted', 10, 0),
    point('covered', 20, 20),
    point('partial', 22, 11),
    point('covered', 18, 18),
  ];
  expect(orderPoints(points).map(({ text }) => text)).toEqual([
    'covered 20',
    'covered 18',
    'partial 22',
    'contradicted 10',
    'missing 30',
  ]);
  expect(creditSum(points, 49)).toBe('20 + 18 + 11 + 0 + 0 = 49%');
});

test('no sum is shown if it does not add up or points have no credits', () => {
  expect(creditSum([point('covered', 100, 60)], 61)).toBeNull();
  expect(creditSum([{ text: 'Old', covered: true, evidence: 'said' }], 60)).toBeNull();
  expect(creditSum([], 0)).toBeNull();
});

test('points of older verdicts are ordered by whether they are covered', () => {
  const points = [
    { text: 'A', covered: false, evidence: '' },
    { text: 'B', covered: true, evidence: 'b' },
  ];
  expect(orderPoints(points).map(({ text }) => text)).toEqual(['B', 'A']);
});
