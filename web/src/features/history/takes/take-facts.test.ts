import type { Point } from '@interview-prep/contracts/recording/recordings';
import { expect, test } from 'vitest';
import { interviewRecording } from '../../../test/history/history-fixtures.ts';
import { pointChanges, wordsPerMinute } from './takes-comparison.tsx';

const point = (text: string, state: NonNullable<Point['state']>): Point => ({
  text,
  state,
  covered: state === 'covered',
  evidence: '',
});

test('the pace is the words of the transcript over the whole recording', () => {
  expect(wordsPerMinute(interviewRecording())).toBe(60);
  expect(wordsPerMinute(interviewRecording({ durationMs: null }))).toBeNull();
  const { transcription } = interviewRecording();
  expect(wordsPerMinute(interviewRecording({ transcription: { ...transcription, text: ' ' } }))).toBeNull();
});

test('points are won where a later take makes them better, and lost where worse', () => {
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
