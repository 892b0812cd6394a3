import type { RecordingSnapshot } from '@interview-prep/contracts/events/snapshots';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyRecording } from '../src/projection/apply-recording.ts';
import { recordingOf, sessionOf } from './events.ts';
import { openTappedModels, type TappedModels } from './tapped-models.ts';

const candidate = { id: new Types.ObjectId().toHexString(), email: 'ada@example.com', role: 'others' } as const;

let opened: TappedModels;
let tap: TappedModels['tap'];
let models: TappedModels['models'];
beforeAll(async () => {
  opened = await openTappedModels();
  ({ tap, models } = opened);
});
afterAll(() => opened.close());

const pending = { status: 'pending', text: '', completedAt: null } as const;

/** The four events of an answer: stored, prepared, transcribed, judged. */
function eventsOf(answer: RecordingSnapshot): RecordingSnapshot[] {
  const stored = {
    ...answer,
    stage: 'media',
    stageStatus: 'pending',
    durationMs: null,
    transcription: pending,
    isCorrect: null,
    correctnessPercentage: null,
    assessment: { status: 'pending' },
  } as const;
  return [
    stored,
    { ...stored, stageStatus: 'completed', durationMs: 4000, revision: 2 },
    { ...stored, durationMs: 4000, stage: 'transcription', transcription: answer.transcription, revision: 3 },
    { ...answer, revision: 4 },
  ];
}

test('an answer needs at most 12 MongoDB commands from upload to verdict', async () => {
  const isOwn = ({ hello, endSessions, ping, ismaster }: Record<string, unknown>) =>
    !(hello || endSessions || ping || ismaster);
  const commandsFor = async (session: ReturnType<typeof sessionOf>, questionId: number) => {
    const before = tap.commands.length;
    for (const recording of eventsOf(recordingOf({ questionId }))) {
      expect(await applyRecording({ session, recording }, models)).toBe(true);
    }
    return tap.commands
      .slice(before)
      .filter(isOwn)
      .map((command) => `${Object.keys(command)[0]} ${Object.values(command)[0]}`);
  };
  // The first session with a technology also creates its total.
  await commandsFor(sessionOf(candidate), 0);
  const session = sessionOf(candidate);
  for (const questionId of [0, 1]) {
    const commands = await commandsFor(session, questionId);
    expect(commands.length, commands.join('\n')).toBeLessThanOrEqual(12);
  }
  expect(await models.totals.findOne().lean()).toMatchObject({ count: 2 });
  expect(await models.sessions.findById(session.entryId).lean()).toMatchObject({
    answeredCount: 2,
    pendingCount: 0,
    averageCorrectness: 80,
    results: [{ technology: 'JavaScript', judgedCount: 2, average: 80, spokenMs: 8000 }],
  });
  expect(await models.answeredQuestions.countDocuments()).toBe(2);
});
