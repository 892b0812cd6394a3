import type { Point } from '@interview-prep/contracts/recording/recordings';
import { describe, expect, it } from 'vitest';
import { interviewRecording } from '../../../test/history/history-fixtures.ts';
import { quoteOf } from '../detail/point-text.tsx';
import { pointsMadeWell, pointsToWorkOn } from './lessons.ts';

const point = (
  text: string,
  state: NonNullable<Point['state']>,
  weight: number,
  credit: number,
  more: Partial<Point> = {},
): Point => ({
  text,
  state,
  covered: state === 'covered',
  evidence: state === 'missing' ? '' : `said ${text}`,
  weight,
  credit,
  ...more,
});
const answer = (questionId: number, points: Point[], reason?: string) =>
  interviewRecording({
    _id: `answer-${questionId}`,
    questionId,
    assessment: { status: 'completed', points, ...(reason ? { reason } : {}) },
  });
const texts = (lessons: readonly { point: Point; worth: number }[]) =>
  lessons.map(({ point: { text }, worth }) => `${text} ${worth}`);

describe('the points to work on', () => {
  it('come in the order of what they would earn, at most three', () => {
    const recordings = [
      answer(0, [point('a', 'covered', 40, 38), point('b', 'partial', 60, 25)]),
      answer(1, [point('c', 'missing', 50, 3), point('d', 'missing', 30, 0), point('e', 'missing', 20, 0)]),
    ];
    expect(texts(pointsToWorkOn(recordings))).toEqual(['c 47', 'b 35', 'd 30']);
  });

  it('come from different questions if they would earn the same', () => {
    const equal = (...names: string[]) => names.map((name) => point(name, 'missing', 20, 0));
    const recordings = [answer(0, equal('a', 'b', 'c')), answer(1, equal('d', 'e')), answer(2, equal('f'))];
    expect(texts(pointsToWorkOn(recordings, 5))).toEqual(['a 20', 'd 20', 'f 20', 'b 20', 'e 20']);
  });

  it('leave out optional points, and include one of an unanswered question', () => {
    const recordings = [
      answer(0, [point('a', 'missing', 60, 0), point('b', 'missing', 40, 0)], 'No answer was heard.'),
      answer(1, [point('c', 'missing', 30, 0), point('d', 'missing', 90, 0, { optional: true })]),
    ];
    expect(texts(pointsToWorkOn(recordings))).toEqual(['a 60', 'c 30']);
  });

  it('weigh the same in verdicts without weights', () => {
    const plain = { covered: false, evidence: '' };
    const recordings = [
      answer(0, [
        { ...plain, text: 'a' },
        { ...plain, text: 'b' },
        { ...plain, text: 'c', covered: true },
      ]),
    ];
    expect(texts(pointsToWorkOn(recordings))).toEqual(['a 33', 'b 33']);
  });
});

describe('what went well', () => {
  it('names the best point of each question before a second one', () => {
    const recordings = [
      answer(0, [point('a', 'covered', 50, 48), point('b', 'covered', 50, 45)]),
      answer(1, [point('c', 'covered', 20, 20), point('d', 'missing', 80, 0)]),
    ];
    expect(texts(pointsMadeWell(recordings))).toEqual(['a 48', 'c 20', 'b 45']);
  });

  it('names partly covered points if none was covered', () => {
    expect(texts(pointsMadeWell([answer(0, [point('a', 'partial', 50, 20), point('b', 'missing', 50, 0)])]))).toEqual([
      'a 20',
    ]);
    expect(pointsMadeWell([answer(0, [point('b', 'missing', 50, 0)])])).toEqual([]);
  });
});

describe("a point's quote", () => {
  it('is its evidence, or the closest match', () => {
    expect(quoteOf(point('a', 'partial', 50, 20, { startMs: 5, endMs: 9 }))).toEqual({
      text: 'said a',
      startMs: 5,
      endMs: 9,
    });
    const nearest = { text: 'something like it', startMs: 1, endMs: 2 };
    expect(quoteOf(point('a', 'missing', 50, 0, { nearest }))).toEqual(nearest);
    expect(quoteOf(point('a', 'missing', 50, 0))).toBeNull();
  });
});
