import { randomUUID } from 'node:crypto';
import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';

export interface ApiClient {
  token: string;
  /** The user as the browser stores it. */
  user: object;
  get<Result>(path: string): Promise<Result>;
  /** Uploads an answer. @returns the history entry's id */
  upload(media: Blob, set: InterviewSet, questionId: number): Promise<{ interviewId: string }>;
  interviewSets(): Promise<InterviewSet[]>;
}

async function answered<Result>(response: Response): Promise<Result> {
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}

/** Signs in as `candidate@example.com` or another demonstration user. */
export async function signIn(
  stack: { url: string; demo: { password: string } },
  email = 'candidate@example.com',
): Promise<ApiClient> {
  const login = await fetch(`${stack.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: stack.demo.password }),
  });
  const { token, ...user } = (await answered<{ user: { token: string } }>(login)).user;
  const headers = { authorization: `Bearer ${token}` };
  const get = async <Result>(path: string) => answered<Result>(await fetch(`${stack.url}${path}`, { headers }));
  return {
    token,
    user,
    get,
    async upload(media, set, questionId) {
      const form = new FormData();
      form.set('sessionId', randomUUID());
      form.set('questionId', String(questionId));
      form.set('interviewSetId', set._id);
      form.set('interviewSetTitle', set.title);
      form.set('technologyCategory', set.technologySlug);
      form.set('audio', media, 'recording.webm');
      const response = await fetch(`${stack.url}/api/interviews/recordings`, { method: 'POST', headers, body: form });
      return (await answered<{ recording: { interviewId: string } }>(response)).recording;
    },
    interviewSets: async () => (await get<{ interviewSets: InterviewSet[] }>('/api/interviews/sets')).interviewSets,
  };
}
