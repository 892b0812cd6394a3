import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import { removeFolder } from '@interview-prep/local/data-folder';
import type { Product } from './running-product.ts';

const execute = promisify(execFile);

/** Words spoken by flite, encoded as by a browser. */
export async function speak(words: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-spoken-'));
  const [wav, webm] = [join(folder, 'spoken.wav'), join(folder, 'spoken.webm')];
  await execute('flite', ['-voice', 'slt', '-t', words, '-o', wav]);
  await execute('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', wav, '-c:a', 'libopus', '-b:a', '24k', webm]);
  const bytes = await readFile(webm);
  await removeFolder(folder);
  return bytes;
}

/** Reads a user's event stream until closed. */
export async function openStream({ stack }: Product, user: SignedInUser) {
  const closing = new AbortController();
  const response = await fetch(`${stack.url}/api/events`, {
    headers: { authorization: `Bearer ${user.token}` },
    signal: closing.signal,
  });
  let received = '';
  const decoder = new TextDecoder();
  const reading = (async () => {
    for await (const bytes of response.body ?? []) received += decoder.decode(bytes, { stream: true });
  })().catch(() => undefined);
  return {
    received: () => received,
    async close() {
      closing.abort();
      await reading;
    },
  };
}

/** Sends an answer in five parts, each twice, and completes it three times. @returns the distinct recordings created */
export async function sendInParts({ ask }: Product, user: SignedInUser, setId: string, media: Buffer) {
  const path = `/api/uploads/${randomUUID()}`;
  const target = { kind: 'interview', setId, sessionId: randomUUID(), questionId: 0 };
  await ask({ method: 'put', path, body: target }, user.token);
  const sizeBytes = Math.ceil(media.length / 5);
  for (const number of [0, 1, 2, 3, 4, 4, 3, 2, 1, 0]) {
    const body = media.subarray(number * sizeBytes, (number + 1) * sizeBytes);
    await ask({ method: 'put', path: `${path}/parts/${number}`, body }, user.token);
  }
  const complete = { method: 'post', path: `${path}/complete`, body: { parts: 5 } };
  const answers = await Promise.all(
    [1, 2, 3].map(() => ask<{ recording: { _id: string; interviewId: string } }>(complete, user.token)),
  );
  return [...new Map(answers.map(({ recording }) => [recording._id, recording])).values()];
}
