import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { limits } from '@interview-prep/contracts/api/limits';
import type { SetSnapshot } from '@interview-prep/contracts/events/snapshots';
import { UploadedInterviewRecording, UploadedPracticeRecording } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RecordingUnderTest, setOf, startRecording, upload } from './setup/recording-under-test.ts';
import { padded, tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let candidate: TestUser;
let other: TestUser;
let set: SetSnapshot;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  [candidate, other] = await Promise.all([service.identity.user('others'), service.identity.user('dev')]);
  set = await service.addSet();
  answer = await tone(440);
});
afterAll(() => service.close());
// No upload leaves anything on disk, whether accepted or not.
afterEach(async () => {
  await expect.poll(() => readdir(join(service.spoolDir, 'recording-uploads'))).toEqual([]);
});

const path = '/api/interviews/recordings';
type Part = [name: string, value: string | Buffer];
const fields = (sessionId = randomUUID()): Part[] => [
  ['questionId', '0'],
  ['interviewSetId', set.setId],
  ['sessionId', sessionId],
];

function send(parts: Part[], user = candidate) {
  const sending = request(service.server).post(path).set('Authorization', user.authorization);
  for (const [name, value] of parts) {
    if (typeof value === 'string') sending.field(name, value);
    else sending.attach(name, value, { filename: 'recording.webm', contentType: 'audio/webm' });
  }
  return sending;
}

function expectError(response: request.Response, status: number, message?: string) {
  const body = ErrorBody.parse(response.body);
  expect({ status: response.status, message: body.message }).toEqual({ status, message: message ?? body.message });
  expect(body.requestId).toBe(response.headers['x-request-id']);
}

describe('an interview upload', () => {
  it('is stored, answered with 201, and queued', async () => {
    const sessionId = randomUUID();
    const response = await upload(service.server, candidate, answer, { setId: set.setId, sessionId, questionId: '1' });
    expect(response.status).toBe(201);
    const recording = UploadedInterviewRecording.parse(response.body.recording);
    expect(recording).toMatchObject({
      sessionId,
      questionId: 1,
      take: 1,
      transcription: { status: 'pending', text: '' },
    });

    const stored = await service.models.recordings.findById(recording._id).orFail();
    expect(stored).toMatchObject({ awaiting: 'media', userId: candidate.id, kind: 'interview' });
    expect(stored.original.key).toBe(`recordings/${sessionId}/1-${stored.sha256}.webm`);
    expect(await buffer(await service.store.get(stored.original.key))).toEqual(answer);
    expect(await service.jobs.queue('media').getJob(`${recording._id}-1`)).toBeDefined();

    const session = await service.models.sessions.findOne({ sessionId }).orFail();
    expect(session._id.toHexString()).toBe(recording.interviewId);
    expect(session).toMatchObject({
      title: set.title,
      technology: set.technology,
      userId: candidate.id,
      setId: set.setId,
      user: { email: candidate.email, role: 'others', lastLogin: null },
    });
    expect([...session.questions]).toEqual(set.questions);

    const played = await request(service.server).get(recording.audioUrl);
    expect(played.status).toBe(200);
  });

  it('can start an interview with selected questions, which asks no others', async () => {
    const questions = ['One?', 'Two?', 'Three?'];
    const { setId } = await service.addSet({ questions, expertAnswers: ['', '', ''] });
    const sessionId = randomUUID();
    const sendTo = (questionId: string, askedQuestions?: string) =>
      upload(service.server, candidate, answer, { setId, sessionId, questionId, askedQuestions });
    expect((await sendTo('0', '2,0,2')).status).toBe(201);
    const session = await service.models.sessions.findOne({ sessionId }).orFail();
    expect([...(session.askedQuestions ?? [])]).toEqual([0, 2]);
    expectError(await sendTo('1'), 400, 'This session does not ask that question');
    expect((await sendTo('2')).status).toBe(201);

    const whole = randomUUID();
    const all = { setId, sessionId: whole, questionId: '0', askedQuestions: '0,1,2' };
    expect((await upload(service.server, candidate, answer, all)).status).toBe(201);
    expect((await service.models.sessions.findOne({ sessionId: whole }).orFail()).askedQuestions).toBeUndefined();

    const refused = { ...all, sessionId: randomUUID() };
    expectError(
      await upload(service.server, candidate, answer, { ...refused, askedQuestions: '0,3' }),
      400,
      'The set has no such question',
    );
    expectError(await upload(service.server, candidate, answer, { ...refused, askedQuestions: 'all' }), 400);
    expect(await service.models.sessions.exists({ sessionId: refused.sessionId })).toBeNull();
  });

  it('can have its fields in any order', async () => {
    const parts: Part[] = [...fields(), ['audio', answer]];
    for (let turn = 0; turn < parts.length; turn += 1) {
      parts.push(parts.shift() as Part);
      const sessionId = randomUUID();
      const sent = parts.map(([name, value]): Part => [name, name === 'sessionId' ? sessionId : value]);
      expect((await send(sent)).status).toBe(201);
    }
  });

  it.each(['questionId', 'interviewSetId', 'sessionId', 'audio'])('is rejected without %s', async (missing) => {
    const parts: Part[] = [...fields(), ['audio', answer]];
    const response = await send(parts.filter(([name]) => name !== missing));
    expectError(response, 400, 'Missing required data for upload');
    expect(response.body.details).toEqual([{ path: missing, message: 'Missing required data for upload' }]);
  });

  it('is rejected with a blank field', async () => {
    const parts: Part[] = [...fields().filter(([name]) => name !== 'sessionId'), ['sessionId', ' '], ['audio', answer]];
    expectError(await send(parts), 400, 'Missing required data for upload');
  });

  it.each(['questionId', 'interviewSetId', 'sessionId'])('is rejected with a second %s', async (doubled) => {
    const again = fields().find(([name]) => name === doubled) as Part;
    expectError(await send([...fields(), again, ['audio', answer]]), 400, `The field ${doubled} was sent twice`);
  });

  it('is rejected with two files', async () => {
    const parts: Part[] = [['audio', answer], ...fields(), ['audio', answer]];
    expectError(await send(parts), 400, 'Only one recording can be sent at a time');
  });

  it('ignores unknown files and fields', async () => {
    const parts: Part[] = [['picture', Buffer.alloc(5000)], ['remark', 'hello'], ...fields(), ['audio', answer]];
    expect((await send(parts)).status).toBe(201);
  });

  it.each([
    ['sessionId', 'not-a-uuid'],
    ['questionId', '-1'],
    ['questionId', 'first'],
    ['interviewSetId', '../../etc/passwd'],
  ])('is rejected with %s %s', async (name, value) => {
    const parts = fields().map(([field, given]): Part => [field, field === name ? value : given]);
    const response = await send([...parts, ['audio', answer]]);
    expectError(response, 400);
    expect(response.body.details).toMatchObject([{ path: name }]);
  });

  it.each([
    ['blank', 0],
    ['999 bytes', limits.recordingMinBytes - 1],
  ])('is rejected if it is too short: %s', async (_name, sizeBytes) => {
    const file = await padded(sizeBytes);
    expectError(await upload(service.server, candidate, file, set), 400, 'Recording too short or empty');
  });

  it('is accepted up to the maximum size, and rejected one byte beyond', async () => {
    const largest = await padded(limits.recordingMaxBytes);
    expect((await upload(service.server, candidate, largest, set)).status).toBe(201);
    const message = 'Recording is too large. Please record a shorter answer.';
    const larger = await padded(limits.recordingMaxBytes + 1);
    expectError(await upload(service.server, candidate, larger, set), 413, message);
    const farLarger = await padded(3 * limits.recordingMaxBytes);
    expectError(await upload(service.server, candidate, farLarger, set), 413, message);
  });

  it('is rejected if its content is not media, whatever its name', async () => {
    const text = Buffer.from('This is a letter, not a recording. '.repeat(100));
    expectError(await upload(service.server, candidate, text, set), 415, 'Unsupported recording format');
  });

  it('is rejected if it is not multipart', async () => {
    const sending = request(service.server).post(path).set('Authorization', candidate.authorization);
    expectError(await sending.send({ sessionId: randomUUID() }), 400, 'An upload must be sent as multipart/form-data');
  });

  it('is rejected if the multipart body is truncated', async () => {
    const head = '--edge\r\nContent-Disposition: form-data; name="audio"; filename="a.webm"\r\n\r\n';
    const response = await request(service.server)
      .post(path)
      .set('Authorization', candidate.authorization)
      .set('Content-Type', 'multipart/form-data; boundary=edge')
      .send(Buffer.concat([Buffer.from(head), answer]));
    expectError(response, 400, 'The upload is malformed or was cut short');
  });

  it('is rejected without a token, and with an expired or revoked one', async () => {
    const nobody = request(service.server)
      .post(path)
      .attach('audio', await padded(limits.recordingMaxBytes), 'a.webm');
    expectError(await nobody, 401);
    const late = await service.identity.user('others', { expiresInSeconds: -10 });
    expectError(await upload(service.server, late, answer, set), 401);
    const deleted = await service.identity.user('others');
    await service.denylist.revokeUserTokens({ userId: deleted.id, validAfterMs: Date.now() + 1000 }, 60_000);
    expectError(await upload(service.server, deleted, answer, set), 401);
  });

  it('is rejected for an unknown set, and for one of the other kind', async () => {
    expectError(await upload(service.server, candidate, answer, setOf()), 404, 'Interview set not found');
    const practice = await service.addSet({ kind: 'practice' });
    expectError(await upload(service.server, candidate, answer, practice), 404, 'Interview set not found');
  });

  it('is rejected for a question outside the set', async () => {
    const response = await upload(service.server, candidate, answer, { setId: set.setId, questionId: '2' });
    expectError(response, 400, 'The set has no such question');
  });

  it("is rejected for someone else's session, and for a session of another set", async () => {
    const parts = { setId: set.setId, sessionId: randomUUID() };
    expect((await upload(service.server, candidate, answer, parts)).status).toBe(201);
    expectError(await upload(service.server, other, answer, parts), 403, 'This session belongs to someone else');
    const second = await service.addSet();
    const response = await upload(service.server, candidate, answer, { ...parts, setId: second.setId });
    expectError(response, 403, 'This session was begun with another set');
  });
});

describe('a practice upload', () => {
  it('is stored, with the field names for practice', async () => {
    const practice = await service.addSet({ kind: 'practice' });
    const response = await upload(service.server, candidate, answer, practice, 'practice');
    expect(response.status).toBe(201);
    const recording = UploadedPracticeRecording.parse(response.body.recording);
    const session = await service.models.sessions.findById(recording.practiceId).orFail();
    expect(session.kind).toBe('practice');
  });

  it('is rejected without its fields, a token or a known set', async () => {
    const response = await request(service.server)
      .post('/api/practice/recordings')
      .set('Authorization', candidate.authorization)
      .field('questionId', '0');
    expectError(response, 400, 'Missing required data for upload');
    expectError(await request(service.server).post('/api/practice/recordings'), 401);
    expectError(await upload(service.server, candidate, answer, set, 'practice'), 404, 'Practice set not found');
  });
});
