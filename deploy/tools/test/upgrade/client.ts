import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A set, technology or recording from the API, with the fields that the upgrade test reads. */
export interface Resource {
  _id: string;
  id: string;
  title: string;
  technologySlug: string;
  slug: string;
  interviewId: string;
  practiceId: string;
}

/** An interview's or practice session's detail. */
export interface Detail {
  title: string;
  recordings: {
    _id: string;
    audioUrl: string;
    transcription: { status: string; text: string };
    assessment?: { status: string };
  }[];
}

/** A signed-in user of a running product. */
export interface Client {
  id: string;
  /** Makes a call that must succeed. `body` is sent as JSON unless it is a form. */
  ask<Result>(method: string, path: string, body?: object): Promise<Result>;
  /** Sends a file as the answer to a question, in a new session unless `sessionId` is given. */
  upload(
    kind: 'interview' | 'practice',
    set: Resource,
    answer: { questionId: number; file: string; sessionId?: string },
  ): Promise<Resource>;
}

async function ask<Result>(url: string, method: string, body?: object, token?: string): Promise<Result> {
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  if (body && !isForm) headers['content-type'] = 'application/json';
  const init: RequestInit = { method, headers };
  if (body) init.body = isForm ? body : JSON.stringify(body);
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Result;
}

const UPLOADS = {
  interview: { path: '/api/interviews/recordings', filePart: 'audio', setFields: 'interviewSet' },
  practice: { path: '/api/practice/recordings', filePart: 'file', setFields: 'practiceSet' },
} as const;

/**
 * Signs in at the product's address.
 * @throws Error if the credentials are rejected
 */
export async function signIn(url: string, email: string, password: string): Promise<Client> {
  const login = { email, password };
  const { user } = await ask<{ user: { id: string; token: string } }>(`${url}/api/auth/login`, 'POST', login);
  const askAsUser = <Result>(method: string, path: string, body?: object) =>
    ask<Result>(`${url}${path}`, method, body, user.token);
  return {
    id: user.id,
    ask: askAsUser,
    async upload(kind, set, { questionId, file, sessionId = randomUUID() }) {
      const { path, filePart, setFields } = UPLOADS[kind];
      const form = new FormData();
      form.set('sessionId', sessionId);
      form.set('questionId', String(questionId));
      form.set(`${setFields}Id`, set._id);
      form.set(`${setFields}Title`, set.title);
      form.set('technologyCategory', set.technologySlug);
      form.set(filePart, new Blob([await readFile(file)], { type: 'audio/webm' }), 'recording.webm');
      return (await askAsUser<{ recording: Resource }>('POST', path, form)).recording;
    },
  };
}
