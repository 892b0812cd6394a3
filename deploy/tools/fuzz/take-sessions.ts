import { randomUUID } from 'node:crypto';
import { silentRecording } from '../silent-recording.ts';
import { eventually, type FormPart, type FuzzRequest, succeed } from './request.ts';

export interface Account {
  email: string;
  password: string;
  id: string;
  token: string;
}

/** Makes a call that must succeed, as a user or without a token. */
export type Ask = <Result>(as: Account | null, method: string, target: string, body?: object) => Promise<Result>;

/** A user's data after two sessions of each kind. */
export interface Belongings {
  interviewIds: string[];
  practiceIds: string[];
  /** The first belongs to the first interview. */
  recordingIds: string[];
  interviewSessionIds: string[];
  practiceSessionIds: string[];
  /** Cursors of both histories. */
  cursors: string[];
}

/** The data of a new user. */
export function noBelongings(): Belongings {
  return {
    interviewIds: [],
    practiceIds: [],
    recordingIds: [],
    interviewSessionIds: [],
    practiceSessionIds: [],
    cursors: [],
  };
}

interface Uploaded {
  _id: string;
  interviewId: string;
  practiceId: string;
}

/** Starts like a WAV file but isn't one: its processing fails, so that it can be reprocessed. */
const unreadable = Buffer.concat([Buffer.from('RIFF    WAVE'), Buffer.alloc(2000)]);

async function uploadAnswer(
  url: string,
  as: Account,
  target: string,
  file: FormPart,
  fields: Record<string, string>,
): Promise<Uploaded> {
  const texts = Object.entries(fields).map(([name, value]) => ({ name, content: Buffer.from(value) }));
  const request: FuzzRequest = {
    method: 'POST',
    target,
    headers: { authorization: `Bearer ${as.token}` },
    body: { kind: 'form', parts: [...texts, file] },
  };
  return (await succeed<{ recording: Uploaded }>(url, request)).recording;
}

/** Answers the first question of a new interview. */
export function answerOnce(
  as: Account,
  { url, interviewSetId }: { url: string; interviewSetId: string },
): Promise<Uploaded> {
  const sessionId = randomUUID();
  const file = { name: 'audio', content: silentRecording(sessionId), fileName: 'a.wav' };
  return uploadAnswer(url, as, '/api/interviews/recordings', file, { sessionId, questionId: '0', interviewSetId });
}

/** Takes two interviews and two practice sessions as a user. Resolves once they are in the histories. */
export async function takeSessions(
  as: Account,
  {
    url,
    ask,
    interviewSetId,
    practiceSetId,
  }: { url: string; ask: Ask } & Record<'interviewSetId' | 'practiceSetId', string>,
): Promise<Belongings> {
  const own = noBelongings();
  const upload = async (target: string, file: FormPart, fields: Record<string, string>): Promise<Uploaded> => {
    const recording = await uploadAnswer(url, as, target, file, fields);
    own.recordingIds.push(recording._id);
    return recording;
  };
  const interview = (sessionId: string, questionId: string, content: Buffer) =>
    upload(
      '/api/interviews/recordings',
      { name: 'audio', content, fileName: 'a.wav' },
      { sessionId, questionId, interviewSetId },
    );
  const practice = (sessionId: string) =>
    upload(
      '/api/practice/recordings',
      { name: 'file', content: silentRecording(sessionId), fileName: 'a.wav' },
      { sessionId, questionId: '0', practiceSetId },
    );

  for (const interviewSession of [randomUUID(), randomUUID()]) {
    const practiceSession = randomUUID();
    own.interviewSessionIds.push(interviewSession);
    own.practiceSessionIds.push(practiceSession);
    own.interviewIds.push((await interview(interviewSession, '0', silentRecording(interviewSession))).interviewId);
    own.practiceIds.push((await practice(practiceSession)).practiceId);
    await interview(interviewSession, '1', unreadable);
  }
  for (const kind of ['interviews', 'practice']) {
    const cursor = await eventually('A history of two sessions', async () => {
      const page = await ask<{ nextCursor: string | null }>(as, 'GET', `/api/${kind}/history?limit=1`);
      return page.nextCursor;
    });
    own.cursors.push(cursor);
  }
  return own;
}

/** Every id that belongs only to the user. */
export function idsOf(own: Belongings): string[] {
  const { interviewIds, practiceIds, recordingIds, interviewSessionIds, practiceSessionIds } = own;
  return [...interviewIds, ...practiceIds, ...recordingIds, ...interviewSessionIds, ...practiceSessionIds];
}
