import type { Point } from '@interview-prep/contracts/recording/recordings';
import { expect, test } from 'vitest';
import { pointChanges } from './takes-comparison.tsx';

const point = (text: string, state: NonNullable<Point['state']>): Point => ({
  text,
  state,
  covered: state === 'covered',
  evidence: '',
});

test('points are won if a later take improves them, and lost if it worsens them', () => {
  const earlier = [point('a', 'missing'), point('b', 'partial'), point('c', 'covered'), point('d', 'covered')];
  const later = [
    point('a', 'partial'),
    point('b', 'covered'),
    point('c', 'contradicted'),
    point('d', 'covered'),
    point('new', 'covered'),
  ];
  expect(pointChanges(earlier, later)).toEqual({
    won: [
      { text: 'a', from: 'missing', to: 'partial' },
      { text: 'b', from: 'partial', to: 'covered' },
    ],
    lost: [{ text: 'c', from: 'covered', to: 'contradicted' }],
  });
});
