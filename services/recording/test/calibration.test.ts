import { createHash } from 'node:crypto';
import type { Point, PointState } from '@interview-prep/contracts/recording/recordings';
import type { Review } from '@interview-prep/contracts/recording/verdict-review';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CalibratedJudge } from '../src/calibration/built-in-judge.ts';
import { calibrate, calibrateDaily, readCalibration } from '../src/calibration/calibrate.ts';
import { createFittedThresholds } from '../src/calibration/fitted-thresholds.ts';
import { stateByFigures, type Thresholds } from '../src/engines/thresholds.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let server: RecordingUnderTest['server'];
let owner: TestUser;
let admin: TestUser;

const judge: CalibratedJudge = {
  engine: 'reference point-judge test',
  thresholds: { covered: 0.6, partial: 0.4, contradicted: 0.5 },
};
const deps = () => ({ models: service.models, judge, log: service.backing.log });

beforeAll(async () => {
  service = await startRecording();
  server = await service.listen({ judge });
  [owner, admin] = await Promise.all([service.identity.user('others'), service.identity.user('admin')]);
});
afterAll(() => service.close());
beforeEach(async () => {
  await Promise.all([service.models.recordings.deleteMany({}), service.models.calibrations.deleteMany({})]);
});

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Human decisions on points with given figures. */
type People = (figures: { made: number; contradicted: number }, next: () => number) => PointState;
const byThresholds =
  (thresholds: Thresholds): People =>
  (figures) =>
    stateByFigures(figures, thresholds);

interface Decisions {
  answers: number;
  people: People;
  engine?: string;
  by?: Review['by'];
  seed?: number;
}

/** Stores answers of four points each, with human decisions. */
async function decide({ answers, people, engine = judge.engine, by = 'admin', seed = 1 }: Decisions): Promise<void> {
  const next = numbers(seed);
  const session = await addSession(service, owner, { questions: ['1. What is x?'] });
  for (let take = 1; take <= answers; take += 1) {
    const points = ['A', 'B', 'C', 'D'].map((text): Point => {
      const figures = { made: next(), contradicted: next() / 3 };
      const before = stateByFigures(figures, judge.thresholds);
      const state = people(figures, next);
      const review = { reason: '', before: { covered: before === 'covered', state: before } };
      return { text, covered: state === 'covered', state, evidence: '', ...figures, review };
    });
    const review: Review = {
      by,
      createdAt: new Date().toISOString(),
      correctnessPercentage: 50,
      reason: 'x',
      comments: [],
    };
    // The id determines which half an answer belongs to, so it must be the same in every run.
    const id = createHash('sha256').update(`${seed} ${engine} ${by} ${take}`).digest('hex').slice(0, 24);
    await addAnswer(service, session, {
      _id: new Types.ObjectId(id),
      take,
      assessment: { status: 'completed', engine, points, review },
    });
  }
}

/** People who are more lenient than the model's thresholds. */
const milder = { covered: 0.3, partial: 0.15, contradicted: 0.5 };
const get = (user = admin) =>
  request(server).get('/api/recordings/calibration').set('Authorization', user.authorization);
const post = (user = admin) =>
  request(server).post('/api/recordings/calibration').set('Authorization', user.authorization);

describe('calibration', () => {
  it('chooses thresholds that agree better with reviewers, also on answers that were not used for fitting', async () => {
    await decide({ answers: 25, people: byThresholds(milder) });
    const { status, body } = await post();
    expect(status).toBe(200);
    expect(body).toMatchObject({ engine: judge.engine, decisions: 100, needed: 50, fit: { isUsed: true } });
    expect(body.fit.fittedTo + body.fit.heldOut).toBe(100);
    expect(body.fit.before).toBeGreaterThan(0.1);
    expect(body.fit.after).toBeLessThan(body.fit.before / 2);
    expect(body.thresholds).toEqual(body.fit.thresholds);
    expect(Math.abs(body.thresholds.covered - milder.covered)).toBeLessThanOrEqual(0.1);
    expect(Math.abs(body.thresholds.partial - milder.partial)).toBeLessThanOrEqual(0.1);
    expect(await createFittedThresholds(service.models)(judge.engine)).toEqual(body.thresholds);
    expect((await get()).body).toEqual(body);

    // Fitting the same decisions again changes nothing.
    const again = (await post()).body;
    expect(again.fit.isUsed).toBe(false);
    expect(again).toMatchObject({ thresholds: body.thresholds, fittedAt: body.fittedAt });
  });

  it.each([1, 2, 3, 4, 5])('does not follow noise (%i)', async (seed) => {
    const states: readonly PointState[] = ['covered', 'partial', 'missing'];
    const people: People = (figures, next) => {
      const state = stateByFigures(figures, judge.thresholds);
      return next() < 0.3 ? states[Math.floor(next() * states.length)]! : state;
    };
    await decide({ answers: 25, people, seed });
    const { fit, thresholds, fittedAt } = await calibrate(deps());
    expect(fit?.isUsed).toBe(false);
    expect({ thresholds, fittedAt }).toEqual({ thresholds: judge.thresholds, fittedAt: null });
    expect(await createFittedThresholds(service.models)(judge.engine)).toBeNull();
  });

  it('keeps fitted thresholds when only noise is added', async () => {
    await decide({ answers: 25, people: byThresholds(milder) });
    const { thresholds } = await calibrate(deps());
    await service.models.recordings.deleteMany({});
    await decide({ answers: 25, people: byThresholds(thresholds), seed: 9 });
    expect(await calibrate(deps())).toMatchObject({ thresholds, fit: { isUsed: false } });
  });

  it("waits for enough admin decisions about this judge's verdicts", async () => {
    const people = byThresholds(milder);
    await decide({ answers: 12, people });
    await decide({ answers: 20, people, by: 'reviewer' });
    await decide({ answers: 20, people, engine: 'reference point-judge older' });
    await decide({ answers: 20, people, engine: 'reference 0.1 (word rules)' });
    // A candidate claims a point and requests a human review, which is still pending.
    const claim = { firstWord: 0, lastWord: 0, text: 'x', startMs: 0, endMs: 1, state: 'covered' } as const;
    const point: Point = {
      text: 'A',
      covered: true,
      state: 'covered',
      evidence: 'x',
      made: 0.2,
      contradicted: 0,
      claim,
    };
    await addAnswer(service, await addSession(service, owner), {
      assessment: {
        status: 'completed',
        engine: judge.engine,
        points: [point],
        appeal: { reason: 'I did', createdAt: new Date().toISOString() },
      },
    });
    expect(await calibrate(deps())).toMatchObject({ decisions: 48, thresholds: judge.thresholds, fit: null });
    await decide({ answers: 1, people, seed: 2 });
    expect(await calibrate(deps())).toMatchObject({ decisions: 52, fit: { isUsed: true } });
  });

  it('ignores decisions about deleted answers', async () => {
    await decide({ answers: 20, people: byThresholds(milder) });
    const { sessionId } = (await service.models.sessions.findOne({}).sort({ _id: -1 }).orFail()).toObject();
    await service.deletions.request({ kind: 'session', sessionId });
    await expect.poll(async () => (await readCalibration(deps())).decisions).toBe(0);
  });

  it('lists the points that reviewers overruled most', async () => {
    const people: People = ({ made }) => (made < 0.5 ? 'covered' : 'missing');
    await decide({ answers: 5, people });
    const { overruled } = await readCalibration(deps());
    expect(overruled.length).toBeGreaterThan(1);
    expect(overruled[0]).toMatchObject({ title: 'Warm-up', question: 'What is x?', decisions: 5 });
    expect(overruled.map((one) => one.overruled)).toEqual(
      overruled.map((one) => one.overruled).toSorted((a, b) => b - a),
    );
    const agreed = byThresholds(judge.thresholds);
    await service.models.recordings.deleteMany({});
    await decide({ answers: 5, people: agreed });
    expect((await readCalibration(deps())).overruled).toEqual([]);
  });

  it('runs once a day, in one of several processes', async () => {
    await decide({ answers: 25, people: byThresholds(milder) });
    const runs = await Promise.all([1, 2, 3].map(() => calibrateDaily(deps())));
    expect(runs.filter(Boolean)).toHaveLength(1);
    expect(await readCalibration(deps())).toMatchObject({ fit: { isUsed: true } });
    expect(await calibrateDaily(deps())).toBe(false);
    await service.models.calibrations.updateOne({ _id: judge.engine }, { $set: { nextAt: new Date(Date.now() - 1) } });
    expect(await calibrateDaily(deps())).toBe(true);
  });

  it('is only for admins', async () => {
    expect([(await get(owner)).status, (await post(owner)).status]).toEqual([403, 403]);
    expect((await request(server).post('/api/recordings/calibration')).status).toBe(401);
  });
});
