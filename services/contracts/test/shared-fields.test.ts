import { expect, test } from 'vitest';
import { pickShared } from '../src/recording/shared-fields.ts';
import type { SharedParts } from '../src/recording/shares.ts';

const everything = { media: true, transcript: true, verdicts: true };
const nothing = { media: false, transcript: false, verdicts: false };
const at = '2026-03-01T10:00:00.000Z';

const recording = {
  _id: '1',
  questionId: 0,
  take: 1,
  createdAt: at,
  mediaType: 'audio/webm',
  audioUrl: 'media',
  durationMs: 4000,
  transcription: {
    status: 'completed',
    text: 'said',
    completedAt: at,
    correctedAt: at,
    proposed: { text: 'proposed', createdAt: at, why: 'changed' },
  },
  isCorrect: true,
  correctnessPercentage: 80,
  chatGPTResponse: 'expert answer',
  assessment: {
    status: 'completed',
    engine: 'judge',
    reason: 'quoted',
    points: [{ text: 'a point', covered: true, evidence: 'quoted', reason: 'quoted', state: 'covered' }],
    review: { by: 'admin', createdAt: at, correctnessPercentage: 10, reason: 'quoted', comments: [] },
    appeal: { reason: 'appeal', createdAt: at },
  },
  sha256: 'internal',
};
const interview = {
  title: 'Warm-up',
  technology: 'SQL',
  createdAt: at,
  questions: ['Why?'],
  askedQuestions: [0],
  recordings: [recording],
  userDetails: { email: 'internal' },
};

const pick = (shows: Partial<SharedParts>) => JSON.stringify(pickShared(interview, { ...nothing, ...shows }));

test.each([
  ['media', ['media'], ['said', 'quoted', 'a point', 'expert answer', 'judge', '80']],
  ['transcript', ['said'], ['"media"', 'quoted', 'a point', 'expert answer', 'judge', '80', 'correctedAt']],
  ['verdicts', ['a point', 'expert answer', 'judge', '80', 'correctedAt'], ['"media"', 'said', 'quoted']],
] as const)('a link that shows %s shows nothing else', (part, shown, hidden) => {
  const json = pick({ [part]: true });
  for (const text of shown) expect(json).toContain(text);
  for (const text of [...hidden, 'proposed', 'appeal', 'internal']) expect(json).not.toContain(text);
});

test('a link that shows everything shows quotes, but nothing private between candidate and reviewer', () => {
  const json = pick(everything);
  for (const text of ['media', 'said', 'quoted', 'a point', 'judge']) expect(json).toContain(text);
  for (const text of ['proposed', 'appeal', 'internal']) expect(json).not.toContain(text);
});

test('a verdict hidden by a link looks as if there were none', () => {
  const { recordings } = pickShared(interview, { ...everything, verdicts: false });
  expect(recordings?.[0]?.assessment).toEqual({ status: 'unscored' });
});

test('an empty list that a link shows stays an empty list', () => {
  const sound = { speechDb: -20, noiseDb: -60, clippedShare: 0, problem: null, tooPoor: false };
  const delivery = {
    wordsPerMinute: 120,
    pace: [],
    fillers: [],
    omitsFillers: true,
    pauses: [],
    firstWordMs: 0,
    silenceShare: 0,
    sound,
  };
  const { recordings } = pickShared({ ...interview, recordings: [{ ...recording, delivery }] }, everything);
  expect(recordings?.[0]?.delivery).toEqual(delivery);
});
