import { limits } from '@interview-prep/contracts/api/limits';
import { beforeEach, expect, test, vi } from 'vitest';
import { unsentAnswers } from '../../../lib/drafts/answer-drafts.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { quickSetOf, userOf } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { beginTake, type TakeEnding } from './take.ts';

const setId = quickSetOf(1)._id;
const userId = userOf('others').id;
const target = {
  userId,
  setId,
  sessionId: '11111111-2222-4333-8444-555555555555',
  questionId: 0,
  setTitle: 'Hooks',
  setUpdatedAt: '2026-11-01T00:00:00.000Z',
  technology: 'React',
};

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

/** A take in progress, with its recorder and the results passed to its listener. */
async function begun() {
  const devices = fakeDevices({ beginsAtOnce: false });
  const ends: { answer: RecordedAnswer; ending: TakeEnding }[] = [];
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const take = beginTake(stream, target, {
    started: () => {},
    grown: () => {},
    finished: (answer, ending) => ends.push({ answer, ending }),
  });
  const [recorder] = devices.recorders;
  if (!recorder) throw new Error('No recorder was made');
  recorder.begin();
  return { devices, take, recorder, ends };
}

test('with large chunks the recording stops early enough for another one of the same size', async () => {
  const { devices, recorder, ends } = await begun();
  const pieceBytes = 400_000;
  devices.sizeBytes = pieceBytes;
  for (let pieces = 0; pieces < 30 && ends.length === 0; pieces += 1) {
    recorder.give(pieceBytes);
    await Promise.resolve();
  }
  await expect.poll(() => ends).toMatchObject([{ ending: 'full' }]);
  const size = ends[0]?.answer.blob.size ?? 0;
  expect(size).toBeLessThanOrEqual(limits.recordingMaxBytes);
  expect(size).toBeGreaterThan(limits.recordingMaxBytes - 3 * pieceBytes);
});

test('leaving keeps the draft to its last chunk', async () => {
  const { take, recorder, ends } = await begun();
  recorder.give(4000);
  take.leave();
  await expect
    .poll(async () => (await unsentAnswers(userId, setId)).answers.map(({ answer }) => answer.blob.size))
    .toEqual([24_000]);
  expect(ends).toEqual([]);
});

test('a discarded take records nothing more', async () => {
  const { take, recorder, ends } = await begun();
  recorder.give(4000);
  take.discard();
  recorder.give(4000);
  expect((await unsentAnswers(userId, setId)).answers.map(({ answer }) => answer.blob.size)).toEqual([4000]);
  expect(ends).toEqual([]);
});
