import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import { answersHttp } from '@interview-prep/local/readiness';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Installation, openInstallation } from '../../backup/installation.ts';
import { findRemains } from '../../deletions/find-remains.ts';
import { type Product, uploadForm } from './running-product.ts';

const killed = ['recording', 'history', 'auth', 'worker'] as const;

export function testDeletions(running: () => Product): void {
  let product: Product;
  let installation: Installation;

  beforeAll(async () => {
    product = running();
    const env = { ...process.env, ...product.names };
    installation = await openInstallation(env, { needsRedis: true, whileRunning: true });
  });
  afterAll(() => installation?.close());

  /** Uploads an answer in a new session; with `mixed` in one that names its questions. @returns the history entry's id */
  async function answer(user: SignedInUser, setId: string, { mixed = false } = {}): Promise<string> {
    const own = mixed
      ? { interviewSetId: mixedSetId, sources: JSON.stringify([{ setId, questionId: 1 }]) }
      : { interviewSetId: setId };
    const fields = { sessionId: randomUUID(), questionId: '0', ...own };
    const body = uploadForm('audio', product.recording(), fields);
    const path = '/api/interviews/recordings';
    const { recording } = await product.ask<{ recording: { interviewId: string } }>(
      { method: 'post', path, body },
      user.token,
    );
    return recording.interviewId;
  }

  const listed = async (user: SignedInUser) =>
    (await product.ask<{ total: number }>({ method: 'get', path: '/api/interviews/history' }, user.token)).total;

  const reviews = async (user: SignedInUser) =>
    (await product.ask<{ total: number }>({ method: 'get', path: '/api/reviews' }, user.token)).total;

  const isReady = (name: (typeof killed)[number]) =>
    answersHttp(`http://127.0.0.1:${product.stack.ports[name]}/readyz`);

  /** Kills a process of the product; the supervisor restarts it. */
  async function kill(name: (typeof killed)[number]): Promise<void> {
    const wanted = `PORT=${product.stack.ports[name]}`;
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (environment.split('\0').includes(wanted)) process.kill(Number(pid), 'SIGKILL');
    }
  }

  test('a deleted account leaves nothing in any store, even if every process is killed during the deletion', async () => {
    const [leaver, other] = [await product.newCandidate(), await product.newCandidate()];
    const set = await product.interviewSet();
    for (const user of [leaver, other]) await answer(user, set._id);
    await answer(leaver, set._id, { mixed: true });
    await product.ask({ method: 'get', path: '/api/auth/draft-key' }, leaver.token);
    await vi.waitUntil(async () => (await listed(leaver)) === 2 && (await listed(other)) === 1, {
      timeout: 60_000,
      interval: 200,
    });
    // Both answers are judged, and their questions are in the review queue.
    await vi.waitUntil(async () => (await reviews(leaver)) === 2, { timeout: 60_000, interval: 200 });

    const { deletions: before } = await findRemains(installation);
    await product.ask({ method: 'post', path: '/api/auth/delete-account', body: {} }, leaver.token);
    for (const name of killed) await kill(name);

    await vi.waitUntil(
      async () => {
        const { deletions, remains } = await findRemains(installation);
        // The user and both sessions.
        return deletions === before + 3 && remains.length === 0;
      },
      // Sweeps find the work of a killed process; the slowest one runs every 40 s.
      { timeout: 120_000, interval: 500 },
    );
    // They are restarting.
    await vi.waitUntil(async () => (await Promise.all(killed.map(isReady))).every(Boolean), {
      timeout: 60_000,
      interval: 200,
    });
    const me = await product.call({ method: 'get', path: '/api/auth/me' }, leaver.token);
    expect([me.status, await listed(other)]).toEqual([401, 1]);
  }, 240_000);

  test('the check finds leftover data', async () => {
    const user = await product.newCandidate();
    await answer(user, (await product.interviewSet())._id);
    const recording = installation.mongo.db(installation.databaseName('recording'));
    const session = await recording.collection('sessions').findOne({ userId: user.id });
    const target = { kind: 'session', sessionId: session?.sessionId };
    const log = recording.collection<{ _id: string }>('deletions');
    // Written as if it had been carried out.
    await log.insertOne({ _id: `session-${session?.sessionId}`, target, passes: 2, revision: 1 } as never);
    const { remains } = await findRemains(installation);
    expect(remains).toContain(`recording.sessions ${session?._id}`);
    expect(remains.filter((line) => line.startsWith('recording.recordings'))).toHaveLength(1);
  });
}
