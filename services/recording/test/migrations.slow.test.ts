import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { interruptMigrations } from '@interview-prep/kit/testing/interrupt-migrations';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../src/migrations/migrations.ts';
import { recordingModels } from '../src/models.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('recording');
});
afterAll(() => backing.close());

const session = new Types.ObjectId('665000000000000000000001');
const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const original = { key: 'recordings/a/0-abc.webm', mediaType: 'audio/webm', sizeBytes: 4000 };

/** As written by release 0.1.0: one that has ended, and one waiting for the object store. */
const recordings = [
  {
    _id: new Types.ObjectId('665000000000000000000010'),
    session,
    sessionId: 'a',
    userId: 'u',
    kind: 'interview',
    questionId: 0,
    take: 1,
    sha256: 'abc',
    container: 'webm',
    original,
    playback: null,
    durationMs: 4000,
    peaks: [0.5],
    silent: false,
    run: 1,
    claims: 3,
    interruptions: 0,
    away: null,
    stage: 'assessment',
    stageStatus: 'completed',
    transcription: { status: 'completed', text: 'a function', completedAt: at('10:00:05'), engine: 'pocketsphinx' },
    isCorrect: true,
    correctnessPercentage: 80,
    chatGPTResponse: 'A function with its scope.',
    assessment: { status: 'completed', engine: 'reference', points: [] },
    revision: 7,
    createdAt: at('10:00:00'),
    updatedAt: at('10:00:06'),
  },
  {
    _id: new Types.ObjectId('665000000000000000000011'),
    session,
    sessionId: 'a',
    userId: 'u',
    kind: 'interview',
    questionId: 1,
    take: 1,
    sha256: 'def',
    container: 'webm',
    original,
    playback: null,
    durationMs: null,
    peaks: [],
    silent: false,
    awaiting: 'media',
    run: 1,
    claims: 12,
    interruptions: 0,
    stage: 'media',
    stageStatus: 'pending',
    away: { what: 'data', tries: 4, nextTryAt: at('10:01:00') },
    transcription: { status: 'pending', text: '', completedAt: null },
    isCorrect: null,
    correctnessPercentage: null,
    chatGPTResponse: '',
    assessment: { status: 'pending' },
    revision: 25,
    unpublished: true,
    createdAt: at('10:00:00'),
    updatedAt: at('10:00:30'),
  },
];
const formerSet = {
  _id: 'set-1',
  setId: 'set',
  revision: 1,
  title: 'Closures',
  technology: 'JavaScript',
  questions: ['What?'],
  expertAnswers: [''],
  updatedAt: at('09:00:00'),
  replacedAt: at('10:00:00'),
};

const review = { by: 'reviewer', createdAt: '2026-11-20T12:00:00.000Z', reason: 'Perfect.' };
const appeal = { reason: 'I did say it', createdAt: '2026-11-20T11:00:00.000Z' };
const comments = [{ atMs: 100, text: 'Here' }];
/** A point that the guest changed, one they left unchanged, and one that a claim had changed before. */
const judged = [
  { text: 'A', covered: false, evidence: '', state: 'missing', weight: 40, credit: 0 },
  { text: 'B', covered: true, evidence: 'b', state: 'covered', weight: 30, credit: 30 },
  {
    text: 'C',
    covered: false,
    evidence: 'c',
    state: 'partial',
    weight: 30,
    credit: 15,
    machine: { state: 'missing', evidence: '', credit: 0 },
    claim: { state: 'partial', firstWord: 0, lastWord: 0, text: 'c', startMs: 0, endMs: 1 },
  },
];
const made = { covered: true, state: 'covered' };

test("a guest's verdict becomes feedback, the machine's verdict counts again, and an admin's stays", async () => {
  const recordingsOf = backing.mongo.db!.collection('recordings');
  await recordingsOf.deleteMany({});
  const [byMachine] = recordings;
  const common = {
    ...byMachine,
    leaseVersion: 0,
    stageStatus: 'completed',
    isCorrect: true,
    correctnessPercentage: 100,
  };
  const machine = { isCorrect: false, correctnessPercentage: 45 };
  const points = [
    {
      ...judged[0],
      ...made,
      credit: 40,
      machine: { state: 'missing', evidence: '', credit: 0 },
      review: { reason: 'Said', before: { covered: false, state: 'missing', credit: 0 } },
    },
    judged[1],
    {
      ...judged[2],
      ...made,
      credit: 30,
      review: { reason: '', before: { covered: false, state: 'partial', credit: 15 } },
    },
  ];
  const given = { ...review, correctnessPercentage: 100, comments };
  await recordingsOf.insertMany([
    {
      ...common,
      _id: new Types.ObjectId(),
      sha256: 'guest',
      take: 1,
      unannouncedReview: 'x',
      assessment: { status: 'completed', points, machine, review: given, appeal },
    },
    {
      ...common,
      _id: new Types.ObjectId(),
      sha256: 'unscored',
      take: 2,
      assessment: {
        status: 'completed',
        points: [],
        machine: { isCorrect: null, correctnessPercentage: null },
        review: given,
      },
    },
    {
      ...common,
      _id: new Types.ObjectId(),
      sha256: 'admin',
      take: 3,
      assessment: { status: 'completed', points: [], machine, review: { ...given, by: 'admin' } },
    },
  ]);
  const toFeedback = migrations.find(({ name }) => name.startsWith('0003'));
  // Running it twice gives the same result.
  for (let run = 0; run < 2; run++) await toFeedback!.up(backing.mongo.db!);
  const find = (sha256: string) => recordingsOf.findOne({ sha256 });
  const { by: _, ...said } = given;
  const feedback = { shareId: '', ...said };
  const guest = await find('guest');
  expect(guest).toMatchObject({ ...machine, stageStatus: 'completed', revision: 8, unpublished: true });
  expect(guest).not.toHaveProperty('unannouncedReview');
  expect(guest?.assessment).toEqual({ status: 'completed', points: judged, appeal });
  expect(guest?.guestFeedback).toEqual([
    {
      ...feedback,
      points: [
        { text: 'A', state: 'covered', reason: 'Said' },
        { text: 'C', state: 'covered', reason: '' },
      ],
    },
  ]);
  expect(await find('unscored')).toMatchObject({
    isCorrect: null,
    correctnessPercentage: null,
    stageStatus: 'unscored',
    assessment: { status: 'unscored', points: [] },
    guestFeedback: [{ ...feedback, points: [] }],
  });
  expect(await find('admin')).toMatchObject({
    correctnessPercentage: 100,
    revision: 7,
    assessment: { review: { by: 'admin' } },
  });
});

test('the database of release 0.1.0 is migrated, wherever the process was killed', async () => {
  const database = backing.mongo.db;
  if (!database) throw new Error('not connected');
  const models = recordingModels(backing.mongo);
  const cuts = await interruptMigrations(backing, {
    database: 'recording',
    migrations,
    async seed() {
      await database.collection('recordings').insertMany(structuredClone(recordings).map(withIds));
      await database.collection<{ _id: string }>('formerSets').insertOne({ ...formerSet });
      await database.collection('formerSets').createIndex({ setId: 1, revision: -1 });
    },
    async check() {
      const stored = await database.collection('recordings').find().sort({ _id: 1 }).toArray();
      expect(stored).toEqual(
        recordings.map(({ claims, away, assessment, ...kept }) => ({
          ...kept,
          leaseVersion: claims,
          outage: away,
          assessment: 'engine' in assessment ? { ...assessment, engine: 'reference 0.1 (word rules)' } : assessment,
        })),
      );
      expect(await database.collection('setRevisions').find().toArray()).toEqual([formerSet]);
      expect(await database.listCollections({ name: 'formerSets' }).toArray()).toEqual([]);
      await buildIndexes(backing.mongo);
      const [ended, waiting] = await models.recordings.find().sort({ _id: 1 });
      expect(ended).toMatchObject({ leaseVersion: 3, outage: null, updatedAt: at('10:00:06') });
      expect(waiting).toMatchObject({ leaseVersion: 12, outage: { what: 'data', tries: 4 }, unpublished: true });
    },
  });
  expect(cuts).toBeGreaterThan(4);
});

/** Restores ObjectIds, which lose their class in `structuredClone`. */
const withIds = <Copy>(copy: Copy, index: number): Copy => ({ ...copy, _id: recordings[index]?._id, session });

test('a verdict between 50 and 60% is no longer correct, as screens already showed', async () => {
  const recordingsOf = backing.mongo.db!.collection('recordings');
  await recordingsOf.deleteMany({});
  const [first] = recordings;
  await recordingsOf.insertMany(
    [49, 50, 59, 60].map((correctnessPercentage) => ({
      ...first,
      _id: new Types.ObjectId(),
      sha256: `percent ${correctnessPercentage}`,
      take: correctnessPercentage,
      leaseVersion: 0,
      stageStatus: 'completed',
      isCorrect: correctnessPercentage >= 50,
      correctnessPercentage,
      revision: 3,
    })),
  );
  const correctFromSixty = migrations.find(({ name }) => name.startsWith('0004'));
  for (let run = 0; run < 2; run++) await correctFromSixty!.up(backing.mongo.db!);
  const found = await recordingsOf.find().sort({ take: 1 }).toArray();
  expect(found.map(({ isCorrect, revision }) => [isCorrect, revision])).toEqual([
    [false, 3],
    [false, 4],
    [false, 4],
    [true, 3],
  ]);
});
