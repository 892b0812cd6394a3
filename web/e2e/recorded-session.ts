import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { NewInterviewSet } from '@interview-prep/contracts/catalog/sets';
import { inject } from 'vitest';
import { type DemoUser, type Person, tokenOf } from './browser.ts';

/** The fields of an interview set or practice set that browser tests use. */
export interface SetHead {
  _id: string;
  title: string;
  technology: string;
  questions: string[];
}

/** The API's response to a person's GET of a path. */
export async function askAs<Result>(who: Person, path: string): Promise<Result> {
  const headers = { Authorization: `Bearer ${await tokenOf(who)}` };
  return (await (await fetch(`${inject('productUrl')}${path}`, { headers })).json()) as Result;
}

async function setsAt<Name extends string>(name: DemoUser, path: string, list: Name): Promise<SetHead[]> {
  return (await askAs<Record<Name, SetHead[]>>(name, path))[list];
}

function titled(sets: SetHead[], title: string): SetHead {
  const found = sets.find((set) => set.title === title);
  if (!found) throw new Error(`There is no set '${title}'`);
  return found;
}

/** A seeded interview set by its title, as a user sees it. */
export async function interviewSet(name: DemoUser, title: string): Promise<SetHead> {
  return titled(await setsAt(name, '/api/interviews/sets', 'interviewSets'), title);
}

/** Creates an interview set, as the admin. */
export async function newInterviewSet(set: NewInterviewSet): Promise<SetHead> {
  const response = await fetch(`${inject('productUrl')}/api/interviews/sets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf('admin')}` },
    body: JSON.stringify(set),
  });
  if (response.status !== 201) throw new Error(`No set: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { interviewSet: SetHead }).interviewSet;
}

/** A seeded practice set by its title. */
export async function practiceSet(name: DemoUser, title: string): Promise<SetHead> {
  return titled(await setsAt(name, '/api/practice', 'practiceSets'), title);
}

/** The differences between an interview's and a practice session's upload. */
const uploads = {
  interview: { path: '/api/interviews/recordings', id: 'interviewSetId', title: 'interviewSetTitle', file: 'audio' },
  practice: { path: '/api/practice/recordings', id: 'practiceSetId', title: 'practiceSetTitle', file: 'file' },
} as const;

/** The upload's target: the question (from 0) and the session, by default a new one. */
interface Sent {
  kind?: keyof typeof uploads;
  sessionId?: string;
  questionId?: number;
  /** The session's questions (from 0); by default the whole set. */
  askedQuestions?: readonly number[];
}

/** Sends a WAV as the answer to a question of a set, by default the first. Resolves with the history entry's id. */
export async function recordedSession(name: Person, set: SetHead, wavPath: string, sent: Sent = {}): Promise<string> {
  const { kind = 'interview', sessionId = randomUUID(), questionId = 0, askedQuestions } = sent;
  const { path, id, title, file } = uploads[kind];
  const form = new FormData();
  form.set('sessionId', sessionId);
  form.set('questionId', String(questionId));
  if (askedQuestions) form.set('askedQuestions', askedQuestions.join());
  form.set(id, set._id);
  form.set(title, set.title);
  form.set('technologyCategory', set.technology);
  form.set(file, new Blob([await readFile(wavPath)], { type: 'audio/wav' }), 'recording.webm');
  const headers = { Authorization: `Bearer ${await tokenOf(name)}` };
  const response = await fetch(`${inject('productUrl')}${path}`, { method: 'POST', headers, body: form });
  if (response.status !== 201) throw new Error(`The upload ended in ${response.status}: ${await response.text()}`);
  const { recording } = (await response.json()) as { recording: { interviewId?: string; practiceId?: string } };
  return recording.interviewId ?? recording.practiceId ?? '';
}
