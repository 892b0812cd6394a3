import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { SetSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applySet } from '../src/sets/apply-set.ts';
import { findExpertAnswer } from '../src/sets/find-set.ts';
import {
  type RecordingUnderTest,
  setOf,
  startRecording,
  type UploadParts,
  upload,
} from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  answer = await tone(440);
});
afterAll(() => service.close());

const hour = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
const pointOf = (text: string) => ({ text, weight: 2, acceptedWordings: ['In other words.'], optional: true });
/** A set's next revision, in which every question is different. */
const edited = (set: SetSnapshot, changes: Partial<SetSnapshot> = {}): SetSnapshot => ({
  ...set,
  questions: [`What is new in revision ${set.revision + 1}?`],
  expertAnswers: [`The answer of revision ${set.revision + 1}.`],
  expertPoints: [[pointOf(`The point of revision ${set.revision + 1}.`)]],
  revision: set.revision + 1,
  updatedAt: new Date(Date.parse(set.updatedAt ?? '') + 1000).toISOString(),
  ...changes,
});
const shownSet = (changes: Partial<SetSnapshot> = {}) =>
  service.addSet({ updatedAt: hoursAgo(2), expertPoints: [[pointOf('A function keeps variables.')], []], ...changes });

/** The questions of a session that begins with this upload. */
async function asked(parts: UploadParts, kind: SessionKind = 'interview', server = service.server) {
  const sessionId = randomUUID();
  const { status } = await upload(server, candidate, answer, { ...parts, sessionId }, kind);
  expect(status).toBe(201);
  const session = await service.models.sessions.findOne({ sessionId }).orFail().lean();
  const expert = await findExpertAnswer(session, 0, service.models.sets);
  return { questions: [...session.questions], expertAnswer: expert?.text, points: expert?.points };
}

describe('a session keeps the questions that were shown', () => {
  it.each(['interview', 'practice'] as const)('if the %s set was edited during the first answer', async (kind) => {
    const shown = await shownSet({ kind });
    const now = edited(shown);
    await applySet(now, service.models);
    const { setId, updatedAt: setUpdatedAt } = shown;
    expect(await asked({ setId, setUpdatedAt }, kind)).toEqual({
      questions: shown.questions,
      expertAnswer: shown.expertAnswers[0],
      points: shown.expertPoints?.[0],
    });
    const newest = { questions: now.questions, expertAnswer: now.expertAnswers[0], points: now.expertPoints?.[0] };
    expect(await asked({ setId }, kind)).toEqual(newest);
    expect(await asked({ setId, setUpdatedAt: now.updatedAt }, kind)).toEqual(newest);
    expect(await asked({ setId, setUpdatedAt: hoursAgo(3) }, kind)).toEqual(newest);
  });

  it('and derives points from the expert answer if the set was published without points', async () => {
    const { setId, expertAnswers } = await shownSet({ expertPoints: undefined });
    expect(await asked({ setId })).toMatchObject({ points: derivePoints(expertAnswers[0] ?? '') });
  });

  it('if the set has been deleted since', async () => {
    const shown = await shownSet();
    const now = edited(shown);
    await applySet(now, service.models);
    const deleted = { revision: 3, updatedAt: hoursAgo(0), deletedAt: hoursAgo(0) };
    await applySet({ ...now, ...deleted }, service.models);
    const { setId } = shown;
    expect(await asked({ setId, setUpdatedAt: shown.updatedAt })).toMatchObject({ questions: shown.questions });
    expect(await asked({ setId, setUpdatedAt: now.updatedAt })).toMatchObject({ questions: now.questions });
  });

  it('if that revision arrives after a newer one', async () => {
    const first = await shownSet();
    const second = edited(first);
    const third = edited(second);
    await applySet(third, service.models);
    await applySet(second, service.models);
    for (const { setId, updatedAt: setUpdatedAt, questions } of [first, second, third]) {
      expect(await asked({ setId, setUpdatedAt })).toMatchObject({ questions });
    }
  });

  it('if an edit was shown before it arrives', async () => {
    const server = await service.listen({ setPatienceMs: 10_000 });
    const set = await shownSet();
    const now = edited(set);
    const answered = asked({ setId: set.setId, setUpdatedAt: now.updatedAt }, 'interview', server);
    await expect.poll(() => readdir(join(service.spoolDir, 'recording-uploads'))).not.toEqual([]);
    await applySet(now, service.models);
    expect(await answered).toMatchObject({ questions: now.questions });
  });

  it('and uses the current ones if the shown revision does not arrive in time', async () => {
    const set = await shownSet();
    expect(await asked({ setId: set.setId, setUpdatedAt: hoursAgo(-1) })).toMatchObject({ questions: set.questions });
  });

  it.each(['', 'undefined', '2026-13-01T00:00:00.000Z'])(
    'and the current ones for setUpdatedAt "%s"',
    async (setUpdatedAt) => {
      const { setId, questions } = await shownSet();
      expect(await asked({ setId, setUpdatedAt })).toMatchObject({ questions });
    },
  );

  it('also for later answers, whatever they claim was shown', async () => {
    const set = await shownSet();
    const parts = { setId: set.setId, sessionId: randomUUID() };
    expect((await upload(service.server, candidate, answer, parts)).status).toBe(201);
    const now = edited(set);
    await applySet(now, service.models);
    const later = { ...parts, questionId: '1', setUpdatedAt: now.updatedAt };
    expect((await upload(service.server, candidate, answer, later)).status).toBe(201);
  });
});

describe('set revisions', () => {
  it('are kept up to the last ten', async () => {
    const revisions = [await shownSet()];
    for (let times = 0; times < 12; times += 1) revisions.push(edited(revisions.at(-1) ?? setOf()));
    for (const set of revisions) await applySet(set, service.models);
    const { setId } = revisions[0] ?? setOf();
    const kept = await service.models.setRevisions.find({ setId }).sort({ revision: 1 });
    expect(kept.map(({ revision }) => revision)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('are not used a day after they were replaced, and are removed by the next edit of any set', async () => {
    const shown = await shownSet();
    const now = edited(shown);
    await applySet(now, service.models);
    const replaced = (hours: number) =>
      service.models.setRevisions.updateOne(
        { setId: shown.setId },
        { $set: { replacedAt: new Date(hoursAgo(hours)) } },
      );
    const parts = { setId: shown.setId, setUpdatedAt: shown.updatedAt };
    await replaced(23.9);
    expect(await asked(parts)).toMatchObject({ questions: shown.questions });
    await replaced(24.1);
    expect(await asked(parts)).toMatchObject({ questions: now.questions });
    await applySet(edited(await shownSet()), service.models);
    expect(await service.models.setRevisions.countDocuments({ setId: shown.setId })).toBe(0);
  });
});
