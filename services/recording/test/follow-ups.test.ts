import { randomUUID } from 'node:crypto';
import { followUpsMax } from '@interview-prep/contracts/recording/asked-questions';
import type { OpenFollowUps } from '@interview-prep/contracts/recording/follow-ups';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseTarget } from '../src/deletions/deletion-log.ts';
import { sessionPage } from '../src/export/export-pages.ts';
import { addFollowUp } from '../src/follow-ups/add-follow-up.ts';
import type { Recording } from '../src/recordings/model.ts';
import type { Session } from '../src/sessions/model.ts';
import type { ShareLink } from '../src/shares/model.ts';
import { presentShared } from '../src/shares/present-shared.ts';
import { assessStage } from '../src/stages/assess-stage.ts';
import { runStage, type StageDeps } from '../src/stages/run-stage.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, setOf, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';
import { jobContext, stageDeps } from './setup/worker-under-test.ts';

let service: RecordingUnderTest;
let deps: StageDeps;
let owner: TestUser;
let others: TestUser[];

beforeAll(async () => {
  service = await startRecording();
  deps = await stageDeps(service);
  owner = await service.identity.user('others');
  others = await Promise.all([service.identity.user('others'), service.identity.user('admin')]);
});
afterAll(() => service.close());

const expertTexts = [
  'A closure is a function together with the variables of the scope it was made in.',
  'The garbage collector cannot reclaim what a closure holds, because the function may still be called.',
];
const heard = 'closures are functions with variables';

function begin(changes: Partial<Session> = {}, questionCount = 2): Promise<Session> {
  return addSession(service, owner, {
    technology: 'JavaScript',
    questions: Array.from({ length: questionCount }, (_, at) => `${at + 1}. What is a closure?`),
    expertAnswers: Array.from({ length: questionCount }, () => expertTexts.join(' ')),
    asksFollowUps: true,
    ...changes,
  });
}

async function answered(session: Session, questionId: number, more: Partial<Recording> = {}): Promise<string> {
  const { _id } = await addAnswer(service, session, {
    questionId,
    awaiting: 'assessment',
    stageStatus: 'pending',
    transcription: { status: 'completed', text: heard, words: [], completedAt: new Date() },
    assessment: { status: 'pending' },
    ...more,
  });
  return _id.toHexString();
}
const judge = (recordingId: string, run = 1) =>
  runStage('assessment', { recordingId, run }, jobContext(service), assessStage(deps), deps);
const sessionNow = (session: Session) => service.models.sessions.findById(session._id).orFail().lean<Session>();
const list = (session: Session, user = owner) =>
  request(service.server).get(`/api/sessions/${session._id}/follow-ups`).set('Authorization', user.authorization);
const open = async (session: Session): Promise<OpenFollowUps> => (await list(session)).body;

describe('a follow-up question', () => {
  it('is prepared from what an answer missed, and judged only on that', async () => {
    const session = await begin();
    const recordingId = await answered(session, 1);
    expect(await open(session)).toEqual({ followUps: [], pending: true });
    await judge(recordingId);
    const question = 'You have not mentioned “garbage collector” yet. Why does that matter here?';
    expect(await open(session)).toEqual({
      followUps: [{ questionId: 2, parentQuestionId: 1, question }],
      pending: false,
    });
    expect(await sessionNow(session)).toMatchObject({
      questions: [...session.questions, question],
      expertAnswers: [...session.expertAnswers, expertTexts[1]],
      followUps: [{ questionId: 2, parentQuestionId: 1 }],
      revision: 2,
    });

    const followUpId = await answered(session, 2, {
      transcription: {
        status: 'completed',
        text: 'the garbage collector cannot reclaim what a closure holds because the function may still be called',
        words: [],
        completedAt: new Date(),
      },
    });
    expect(await open(session)).toEqual({ followUps: [], pending: false });
    await judge(followUpId);
    const judged = await service.models.recordings.findById(followUpId).orFail().lean<Recording>();
    expect(judged).toMatchObject({ isCorrect: true, chatGPTResponse: expertTexts[1] });
    expect(judged.assessment.points).toHaveLength(1);
    expect((await sessionNow(session)).followUps).toHaveLength(1);
  });

  it('is added once, however often its job runs, and with the event of the verdict', async () => {
    const session = await begin();
    const recordingId = await answered(session, 0);
    await judge(recordingId);
    await judge(recordingId);
    expect((await sessionNow(session)).followUps).toHaveLength(1);
    const jobs = await service.allJobs.queue('history').getJobs(['waiting']);
    const events = jobs
      .map(({ data }) => data)
      .filter(({ recording }) => recording?.recordingId === recordingId && recording.stageStatus === 'completed');
    expect(events.map((event) => event.session.followUps)).toEqual([[{ questionId: 2, parentQuestionId: 0 }]]);
  });

  it('survives the kill of a worker before it writes the verdict', async () => {
    const session = await begin();
    const recordingId = await answered(session, 0);
    const killed = new Error('killed');
    const models = {
      ...deps.models,
      sessions: new Proxy(deps.models.sessions, {
        get: (target, name) =>
          name === 'updateOne'
            ? async (...given: Parameters<typeof target.updateOne>) => {
                await target.updateOne(...given);
                // The write succeeds, but the process is killed before it returns.
                throw killed;
              }
            : Reflect.get(target, name),
      }),
    };
    const dying = { ...deps, models };
    await expect(
      runStage('assessment', { recordingId, run: 1 }, jobContext(service), assessStage(dying), dying),
    ).rejects.toThrow();
    await judge(recordingId);
    expect((await sessionNow(session)).followUps).toEqual([{ questionId: 2, parentQuestionId: 0 }]);
  });

  it(`is added at most ${followUpsMax} times per session, even if answers are judged concurrently`, async () => {
    const session = await begin({}, 6);
    const ids = await Promise.all([0, 1, 2, 3, 4, 5].map((questionId) => answered(session, questionId)));
    await Promise.all(ids.map((id) => judge(id)));
    const { followUps = [], questions } = await sessionNow(session);
    expect(followUps.map(({ questionId }) => questionId)).toEqual([6, 7, 8]);
    expect(new Set(followUps.map(({ parentQuestionId }) => parentQuestionId)).size).toBe(followUpsMax);
    expect(questions).toHaveLength(9);
    expect((await open(session)).pending).toBe(false);
  });

  it('is not added twice to a question', async () => {
    const session = await begin();
    const followUp = { parentQuestionId: 0, question: 'Why?', expertAnswer: 'So.', points: [] };
    await Promise.all([1, 2, 3].map(() => addFollowUp(session._id, followUp, service.models)));
    expect((await sessionNow(session)).followUps).toHaveLength(1);
  });

  it.each<[string, Partial<Session>, Partial<Recording>]>([
    ['the set asks none', { asksFollowUps: false }, {}],
    ['the answer is judged again', {}, { run: 2 }],
    ['nothing was said', {}, { transcription: { status: 'completed' as const, text: '', completedAt: new Date() } }],
    [
      'nothing was missed',
      {},
      {
        transcription: {
          status: 'completed' as const,
          text: expertTexts.join(' '),
          words: [],
          completedAt: new Date(),
        },
      },
    ],
    ['the language has no templates', { language: 'de' }, {}],
  ])('is not added if %s', async (_, changes, more) => {
    const session = await begin(changes);
    await judge(await answered(session, 0, more), more.run);
    expect((await sessionNow(session)).followUps ?? []).toEqual([]);
  });

  it('is not shown to anyone else', async () => {
    const session = await begin();
    await judge(await answered(session, 0));
    for (const user of others) expect((await list(session, user)).status).toBe(404);
    expect((await request(service.server).get(`/api/sessions/${session._id}/follow-ups`)).status).toBe(401);
    const practice = await begin({ kind: 'practice' });
    expect((await list(practice)).status).toBe(404);
  });

  it('accepts an upload, even if the interview asks only some questions of its set', async () => {
    const set = await service.addSet(setOf({ asksFollowUps: true, questions: ['One?', 'Two?'] }));
    const file = await tone(440);
    const sessionId = randomUUID();
    const send = (questionId: string) =>
      upload(service.server, owner, file, { setId: set.setId, sessionId, questionId, askedQuestions: '1' });
    expect((await send('1')).status).toBe(201);
    const session = await service.models.sessions.findOne({ sessionId }).orFail().lean<Session>();
    expect(session.asksFollowUps).toBe(true);
    expect((await send('2')).status).toBe(400);
    await addFollowUp(
      session._id,
      { parentQuestionId: 1, question: 'Why?', expertAnswer: 'So.', points: [] },
      service.models,
    );
    expect((await send('2')).status).toBe(201);
    expect((await send('0')).status).toBe(400);
  });
});

describe('when the original answer is deleted', () => {
  it('the follow-up question loses its text, and its answer is deleted too', async () => {
    const session = await begin();
    const { sessionId } = session;
    const recordingId = await answered(session, 0);
    const kept = await answered(session, 1);
    await judge(recordingId);
    const followUpId = await answered(session, 2, { awaiting: undefined });
    const before = await service.models.recordings.findById(kept).orFail().lean<Recording>();
    const deleted = await request(service.server)
      .delete(`/api/recordings/${recordingId}`)
      .set('Authorization', owner.authorization);
    expect(deleted.status).toBe(204);
    const left = await service.models.recordings.find({ sessionId }).lean<Recording[]>();
    expect(left.map(({ _id }) => _id.toHexString())).toEqual([kept]);
    expect(left[0]?.revision).toBeGreaterThan(before.revision);
    expect(await service.models.recordings.findById(followUpId)).toBeNull();
    const { questions, revision } = await sessionNow(session);
    expect(questions).toEqual([...session.questions, '']);
    expect(revision).toBe(3);
    expect((await open(session)).followUps).toEqual([]);
    const again = await upload(service.server, owner, await tone(440), {
      setId: session.setId,
      sessionId,
      questionId: '2',
    });
    expect(again.status).toBe(400);
    // The second pass has nothing left to do.
    await eraseTarget({ kind: 'answer', recordingId, sessionId, questionId: 0, sha256: 'f' }, service);
    expect((await sessionNow(session)).revision).toBe(3);
  });
});

it('is shown by a share link, without its text if the link hides verdicts or transcripts', async () => {
  const session = { ...(await begin()), followUps: [{ questionId: 2, parentQuestionId: 1 }] };
  session.questions.push('You have not mentioned it. Why?');
  const recording = await service.models.recordings
    .findById(await answered(session, 2))
    .orFail()
    .lean<Recording>();
  const link = (shows: ShareLink['shows']) => {
    const now = new Date();
    const share = { _id: new Types.ObjectId(), role: 'read', shows, createdAt: now, expiresAt: now } as ShareLink;
    return presentShared(share, session, [recording], service.mediaTokens);
  };
  const all = link({ media: true, transcript: true, verdicts: true });
  expect(all).toMatchObject({ askedQuestions: [0, 1, 2], followUps: session.followUps });
  expect(all.questions[2]).toBe('You have not mentioned it. Why?');
  expect(link({ media: true, transcript: true, verdicts: false }).questions[2]).toBe('A follow-up question');
  expect(link({ media: true, transcript: false, verdicts: true }).questions[2]).toBe('A follow-up question');
});

it('is included in the export page', async () => {
  const session = { ...(await begin()), followUps: [{ questionId: 2, parentQuestionId: 1 }] };
  session.questions.push('Why is that?');
  const recording = await service.models.recordings
    .findById(await answered(session, 2))
    .orFail()
    .lean<Recording>();
  const page = sessionPage(session, [{ recording, mediaName: null, name: 'question-3-take-1' }]);
  expect(page).toContain('Why is that?');
  expect(page).toContain('Follow-up to question 2');
});
