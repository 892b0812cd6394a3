import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { type DemoUser, tokenOf } from './browser.ts';

interface SetHead {
  _id: string;
  title: string;
  technology: string;
  questions: string[];
}

/** A seeded interview set by its title, as a user sees it. */
export async function interviewSet(name: DemoUser, title: string): Promise<SetHead> {
  const headers = { Authorization: `Bearer ${await tokenOf(name)}` };
  const response = await fetch(`${inject('productUrl')}/api/interviews/sets`, { headers });
  const { interviewSets } = (await response.json()) as { interviewSets: SetHead[] };
  const found = interviewSets.find((set) => set.title === title);
  if (!found) throw new Error(`There is no interview set '${title}'`);
  return found;
}

/** Sends a WAV as the answer to a set's first question, past the browser. Resolves with the history entry's id. */
export async function recordedSession(name: DemoUser, set: SetHead, wavPath: string): Promise<string> {
  const form = new FormData();
  form.set('sessionId', randomUUID());
  form.set('questionId', '0');
  form.set('interviewSetId', set._id);
  form.set('interviewSetTitle', set.title);
  form.set('technologyCategory', set.technology);
  form.set('audio', new Blob([await readFile(wavPath)], { type: 'audio/wav' }), 'recording.webm');
  const headers = { Authorization: `Bearer ${await tokenOf(name)}` };
  const response = await fetch(`${inject('productUrl')}/api/interviews/recordings`, {
    method: 'POST',
    headers,
    body: form,
  });
  if (response.status !== 201) throw new Error(`The upload ended in ${response.status}: ${await response.text()}`);
  const { recording } = (await response.json()) as { recording: { interviewId: string } };
  return recording.interviewId;
}
