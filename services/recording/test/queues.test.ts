import { once } from 'node:events';
import type { ChosenAnswers } from '@interview-prep/contracts/recording/queues';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Recording } from '../src/recordings/model.ts';
import { runStage, type StageHandler } from '../src/stages/run-stage.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { jobContext, stageDeps } from './setup/worker-under-test.ts';

let service: RecordingUnderTest;
let owner: TestUser;
let admin: TestUser;

beforeAll(async () => {
  service = await startRecording();
  [owner, admin] = await Promise.all([service.identity.user('others'), service.identity.user('admin')]);
});
beforeEach(async () => {
  await service.models.recordings.deleteMany({});
});
afterAll(() => service.close());

async function addThat(fields: Partial<Recording>): Promise<Recording> {
  return addAnswer(service, await addSession(service, owner, { kind: 'interview' }), {
    assessment: { status: 'pending' },
    ...fields,
  });
}

const failedFor = (error: string, fields: Partial<Recording> = {}) =>
  addThat({
    stage: 'transcription',
    stageStatus: 'failed',
    transcription: { status: 'failed', text: '', completedAt: null, error },
    assessment: { status: 'failed', reason: 'There is no transcription to judge' },
    ...fields,
  });

const waitingFor = (fields: Partial<Recording> = {}) =>
  addThat({ stage: 'assessment', stageStatus: 'pending', awaiting: 'assessment', turn: 1, ...fields });

const post = (path: string, body: object, user = admin) =>
  request(service.server).post(`/api/recordings/queues/${path}`).set('Authorization', user.authorization).send(body);
const retry = (chosen: ChosenAnswers) => post('retry', chosen).expect(200);
const giveUp = (chosen: ChosenAnswers) => post('give-up', chosen).expect(200);
const list = async () =>
  (await request(service.server).get('/api/recordings/queues').set('Authorization', admin.authorization).expect(200))
    .body;
const read = ({ _id }: Recording) => service.models.recordings.findById(_id).orFail().lean<Recording>();
const idOf = ({ _id }: Recording) => _id.toHexString();

const noSpeech = 'The speech engine ended unexpectedly';

describe('the queues', () => {
  it('show what is waiting, active, paused and failed, and why', async () => {
    const first = await waitingFor({ createdAt: new Date(Date.now() - 3_600_000) });
    await waitingFor({ stageStatus: 'started' });
    await waitingFor({ outage: { what: 'engine', tries: 3, nextTryAt: new Date(Date.now() + 60_000) } });
    await Promise.all([failedFor(noSpeech), failedFor(noSpeech), failedFor('No audio')]);
    await service.jobs.add('ahead', 'transcribe-ahead', { uploadId: 'spoken-now' });
    const { stages, failures, others } = await list();
    expect(stages).toEqual([
      { stage: 'media', waiting: 0, active: 0, paused: 0, failed: 0, oldestAt: null },
      { stage: 'transcription', waiting: 0, active: 0, paused: 0, failed: 3, oldestAt: null },
      { stage: 'assessment', waiting: 1, active: 1, paused: 1, failed: 0, oldestAt: first.createdAt.toISOString() },
    ]);
    expect(failures).toHaveLength(2);
    expect(failures).toContainEqual(expect.objectContaining({ stage: 'transcription', reason: noSpeech, count: 2 }));
    expect(others).toContainEqual({ queue: 'ahead', waiting: 1, active: 0, retrying: 0, reason: null });
  });

  it('list the answers behind a number, with the recording and its user', async () => {
    const failed = await failedFor(noSpeech);
    await failedFor('No audio');
    const { body } = await post('answers', { stage: 'transcription', reason: noSpeech }).expect(200);
    expect(body.answers).toMatchObject([
      { recordingId: idOf(failed), email: owner.email, state: 'failed', questionId: failed.questionId },
    ]);
    const paused = await waitingFor({ outage: { what: 'data', tries: 1, nextTryAt: new Date(Date.now() + 60_000) } });
    const waiting = await post('answers', { stage: 'assessment' }).expect(200);
    expect(waiting.body.answers).toMatchObject([
      { recordingId: idOf(paused), state: 'paused', nextTryAt: paused.outage?.nextTryAt.toISOString() },
    ]);
  });

  it('are only for admins, and reject unknown kinds', async () => {
    await request(service.server).get('/api/recordings/queues').set('Authorization', owner.authorization).expect(403);
    await post('retry', { stage: 'media' }, owner).expect(403);
    await post('give-up', { stage: 'events' }).expect(400);
    await post('give-up', {}).expect(400);
  });
});

describe('retrying', () => {
  it('starts the next run of all answers of a kind, and of no other', async () => {
    const [one, two, other] = await Promise.all([failedFor(noSpeech), failedFor(noSpeech), failedFor('No audio')]);
    const { body } = await retry({ stage: 'transcription', reason: noSpeech });
    expect(body).toEqual({ changed: 2, left: 0 });
    for (const recording of [one, two]) {
      expect(await read(recording)).toMatchObject({ awaiting: 'transcription', stageStatus: 'pending', run: 2 });
      expect(await service.jobs.queue('transcription').getJob(`${recording._id}-2`)).toBeDefined();
    }
    expect(await read(other)).toMatchObject({ stageStatus: 'failed', run: 1 });
  });

  it('skips an answer whose media was deleted, and says so', async () => {
    const gone = await failedFor(noSpeech, {
      mediaDeletion: { at: new Date().toISOString(), why: 'retention' } as never,
    });
    const { body } = await retry({ stage: 'transcription', reason: noSpeech });
    expect(body).toEqual({ changed: 0, left: 1 });
    expect((await read(gone)).stageStatus).toBe('failed');
  });

  it('ends the pause of an answer waiting for an outage to end, in MongoDB and in its queue', async () => {
    const paused = await waitingFor({ outage: { what: 'engine', tries: 9, nextTryAt: new Date(Date.now() + 60_000) } });
    const job = { recordingId: idOf(paused), run: 1 };
    await service.jobs.add('assessment', 'assess', job, { delayMs: 60_000 });
    expect((await retry({ stage: 'assessment', recordingId: idOf(paused) })).body).toEqual({ changed: 1, left: 0 });
    expect((await read(paused)).outage?.nextTryAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await (await service.jobs.queue('assessment').getJob(`${paused._id}-1`))?.getState()).toBe('waiting');
  });
});

describe('giving up', () => {
  it("marks a waiting answer as failed, for its user too, and voids its worker's lease", async () => {
    const waiting = await waitingFor({ stageStatus: 'started', leaseVersion: 4 });
    expect((await giveUp({ stage: 'assessment', recordingId: idOf(waiting) })).body).toEqual({ changed: 1, left: 0 });
    const given = await read(waiting);
    expect(given).toMatchObject({
      stageStatus: 'failed',
      assessment: { status: 'failed', reason: 'An admin ended the processing of this answer' },
      leaseVersion: 5,
      revision: waiting.revision + 1,
    });
    expect(given.awaiting).toBeUndefined();
    expect((await list()).failures).toEqual([]);
    expect((await giveUp({ stage: 'assessment', recordingId: idOf(waiting) })).body).toEqual({ changed: 0, left: 0 });
  });

  it('aborts the work on an answer, without counting a failure', async () => {
    const waiting = await waitingFor();
    const deps = await stageDeps(service);
    const begun = Promise.withResolvers<void>();
    const handler: StageHandler = async ({ signal }) => {
      begun.resolve();
      await once(signal, 'abort');
      throw signal.reason;
    };
    const job = { recordingId: idOf(waiting), run: 1 };
    const running = runStage('assessment', job, jobContext(service), handler, deps);
    await begun.promise;
    await giveUp({ stage: 'assessment', recordingId: idOf(waiting) });
    await running;
    expect(await read(waiting)).toMatchObject({
      stageStatus: 'failed',
      assessment: { reason: 'An admin ended the processing of this answer' },
    });
  });

  it('takes failed answers off the list until they fail again', async () => {
    const failed = await failedFor(noSpeech);
    expect((await giveUp({ stage: 'transcription', reason: noSpeech })).body).toEqual({ changed: 1, left: 0 });
    expect((await list()).failures).toEqual([]);
    await request(service.server)
      .post(`/api/recordings/${failed._id}/reprocess`)
      .set('Authorization', owner.authorization)
      .expect(202);
    expect((await read(failed)).givenUpAt).toBeUndefined();
  });

  it('leaves a completed answer unchanged', async () => {
    const completed = await addThat({ stage: 'assessment', stageStatus: 'completed' });
    expect((await giveUp({ stage: 'assessment', recordingId: idOf(completed) })).body).toEqual({ changed: 0, left: 0 });
    expect((await retry({ stage: 'assessment', recordingId: idOf(completed) })).body).toEqual({ changed: 0, left: 0 });
    expect(await read(completed)).toMatchObject({ stageStatus: 'completed', run: 1 });
  });
});
