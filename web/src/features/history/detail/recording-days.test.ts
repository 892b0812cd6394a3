import { describe, expect, it } from 'vitest';
import { recordingDays, unansweredQuestions } from './session-days.tsx';

const at = (createdAt: string, questionId: number) => ({ createdAt, questionId });

describe('recordingDays', () => {
  const recordings = [
    at('2026-11-20T19:00:00.000Z', 2),
    at('2026-11-20T18:45:00.000Z', 0),
    at('2026-11-20T03:00:00.000Z', 1),
  ];

  it('groups by calendar day in the time zone', () => {
    expect(recordingDays(recordings, {}, 'UTC').map(({ day }) => day)).toEqual(['2026-11-20']);
    expect(recordingDays(recordings, {}, 'Asia/Kolkata')).toEqual([
      { day: '2026-11-20', recordings: [recordings[2]] },
      { day: '2026-11-21', recordings: [recordings[0], recordings[1]].reverse() },
    ]);
    expect(recordingDays(recordings, {}, 'America/Los_Angeles').map(({ day }) => day)).toEqual([
      '2026-11-19',
      '2026-11-20',
    ]);
  });

  it('keeps the order of the questions within a day', () => {
    expect(recordingDays(recordings, {}, 'UTC')[0]?.recordings.map(({ questionId }) => questionId)).toEqual([0, 1, 2]);
  });

  it('puts recordings without a date last, under no day', () => {
    expect(
      recordingDays([at('', 0), at('someday', 1), at('2026-01-01T00:00:00Z', 2)], {}, 'UTC').map(({ day }) => day),
    ).toEqual(['2026-01-01', '']);
  });
});

describe('unansweredQuestions', () => {
  it('returns the numbers of questions without a recording', () => {
    expect(unansweredQuestions([0, 1, 2], [at('', 1)])).toEqual([0, 2]);
    expect(unansweredQuestions([], [at('', 1)])).toEqual([]);
  });
});
