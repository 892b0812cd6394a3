import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recording } from '../src/recordings/model.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let owner: TestUser;
let other: TestUser;
let admin: TestUser;

beforeAll(async () => {
  service = await startRecording();
  [owner, other, admin] = await Promise.all([
    service.identity.user('others'),
    service.identity.user('dev'),
    service.identity.user('admin'),
  ]);
});
afterAll(() => service.close());

const transcribed = { status: 'completed', text: 'what was said', completedAt: new Date() } as const;
const untranscribed = { status: 'failed', text: '', completedAt: null, error: 'why' } as const;
const failed = { status: 'failed', reason: 'why' } as const;

/** A recording of the owner's that has come to some end. */
async function recordingThat(ended: Partial<Recording>) {
  const session = await addSession(service, owner, { kind: ended.kind ?? 'interview' });
  return addAnswer(service, session, {
    interruptions: 7,
    stageStatus: 'failed',
    transcription: transcribed,
    assessment: failed,
    ...ended,
  });
}

const reprocess = (id: string, user: TestUser) =>
  request(service.server).post(`/api/recordings/${id}/reprocess`).set('Authorization', user.authorization);
const idOf = (recording: Recording) => recording._id.toHexString();

describe('processing again', () => {
  it.each([
    ['media', 'failed', { transcription: untranscribed }, { status: 'pending' }],
    ['transcription', 'failed', { transcription: untranscribed }, { status: 'pending' }],
    ['assessment', 'failed', {}, transcribed],
    ['assessment', 'unscored', { assessment: { status: 'unscored', reason: 'no expert answer' } }, transcribed],
  ] as const)('begins at the stage that did not succeed: %s %s', async (stage, stageStatus, ended, transcription) => {
    const recording = await recordingThat({ stage, stageStatus, ...ended });
    const response = await reprocess(idOf(recording), owner);
    expect(response.status).toBe(202);
    expect(await service.models.recordings.findById(recording._id)).toMatchObject({
      awaiting: stage,
      stage,
      stageStatus: 'pending',
      run: 2,
      interruptions: 0,
      outage: null,
      transcription,
      assessment: { status: 'pending' },
    });
    expect(await service.jobs.queue(stage).getJob(`${recording._id}-2`)).toBeDefined();
  });

  it('is allowed to an admin, and once at a time', async () => {
    const recording = await recordingThat({});
    const responses = await Promise.all([1, 2, 3].map(() => reprocess(idOf(recording), admin)));
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect(await service.models.recordings.findById(recording._id)).toMatchObject({ run: 2 });
  });

  it.each([
    ['what was judged', { stageStatus: 'completed', assessment: { status: 'completed' } }],
    ['what is under way', { stageStatus: 'started', awaiting: 'assessment', assessment: { status: 'pending' } }],
    [
      'a practice answer, which is never judged',
      { kind: 'practice', stage: 'transcription', stageStatus: 'completed' },
    ],
  ] as const)('is of no use for %s', async (_name, ended) => {
    const response = await reprocess(idOf(await recordingThat(ended)), owner);
    expect(response.status).toBe(409);
    expect(response.body.message).toBe('There is nothing to process again');
  });

  it("is refused without a token, for a malformed id, and for an unknown recording or someone else's", async () => {
    const id = idOf(await recordingThat({}));
    expect((await request(service.server).post(`/api/recordings/${id}/reprocess`)).status).toBe(401);
    expect((await reprocess('1', owner)).status).toBe(400);
    expect((await reprocess(new Types.ObjectId().toHexString(), admin)).status).toBe(404);
    expect((await reprocess(id, other)).status).toBe(404);
  });
});
