import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AuditEntry } from '@interview-prep/contracts/audit/audit';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import type { UploadedInterviewRecording } from '@interview-prep/contracts/recording/recordings';
import { beforeAll, describe, expect, it } from 'vitest';
import { attackFiles } from '../../../../services/recording/test/hostile-media/attack-files.ts';
import { type Product, uploadForm } from './running-product.ts';

/** Attempted attacks. The last test signs everyone out, including the product's admin. */
export function testAttacks(running: () => Product): void {
  let product: Product;
  let admin: SignedInUser;
  let interviewSetId: string;

  beforeAll(async () => {
    product = running();
    admin = await product.signIn('admin@example.com');
    interviewSetId = (await product.interviewSet())._id;
  });

  async function send(user: SignedInUser, media: Blob): Promise<UploadedInterviewRecording> {
    const body = uploadForm('audio', media, { interviewSetId, questionId: '0', sessionId: randomUUID() });
    const path = '/api/interviews/recordings';
    const answer = { method: 'post', path, body };
    return (await product.ask<{ recording: UploadedInterviewRecording }>(answer, user.token)).recording;
  }

  /** Waits until an answer is processed. @returns it as its owner or an admin sees it */
  async function ended({ interviewId }: UploadedInterviewRecording, viewer: SignedInUser) {
    const read = async () => {
      const detail = await product
        .ask<InterviewDetail>({ method: 'get', path: `/api/interviews/${interviewId}` }, viewer.token)
        .catch(() => null);
      return detail?.recordings[0];
    };
    await expect
      .poll(async () => (await read())?.transcription.status, { timeout: 120_000, interval: 250 })
      .toMatch(/completed|failed/);
    return (await read())!;
  }

  it('media designed to exhaust the server is rejected with a message, without delaying others', async () => {
    const attacker = await product.newCandidate();
    const other = await product.newCandidate();
    const names = ['700 chunks', '60 million', '1 Hz', '200,000 edits', 'a thousand times', 'at the end of time'];
    const files = names.map((name) => attackFiles.find((file) => file.name.includes(name))!.make());
    const attacks = await Promise.all(files.map((file) => send(attacker, new Blob([Uint8Array.from(file)]))));
    const answer = await send(other, product.recording());
    expect((await ended(answer, other)).transcription.status).toBe('completed');
    for (const attack of attacks) {
      const seen = await ended(attack, attacker);
      expect(seen.transcription).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/^(The recording|Processing the recording) .* .*\.$/),
      });
      expect((await ended(attack, admin)).transcription.error).toBe(seen.transcription.error);
    }
  }, 300_000);

  describe('a media link ends with the sign-in that it was made for', () => {
    const ends: Record<string, (user: SignedInUser, password: string) => Promise<unknown>> = {
      'a logout': (user) => product.ask({ method: 'post', path: '/api/auth/logout' }, user.token),
      'a changed password': (user, currentPassword) => {
        const body = { currentPassword, newPassword: randomUUID() };
        return product.ask({ method: 'post', path: '/api/auth/change-password', body }, user.token);
      },
      'the end of the account': (user) => product.ask({ method: 'delete', path: `/api/users/${user.id}` }, admin.token),
    };

    it.each(Object.keys(ends))('%s', async (name) => {
      const password = randomUUID();
      const user = await product.newDeveloper(password);
      const { audioUrl } = await send(user, product.recording());
      const play = () => product.call({ method: 'get', path: audioUrl });
      const before = await play();
      expect([before.status, before.headers.get('cache-control')]).toEqual([200, 'no-store']);
      await before.arrayBuffer();
      await ends[name]!(user, password);
      expect((await play()).status).toBe(401);
    });
  });

  it('a stolen signing key gives access until `keys:rotate --now`, and none afterward', async () => {
    const { audioUrl } = await send(await product.newCandidate(), product.recording());
    const command = fileURLToPath(new URL('../../keys/rotate-keys.ts', import.meta.url));
    const rotate = async (...args: string[]) => {
      const env = { ...process.env, ...product.names };
      return (await promisify(execFile)(process.execPath, [command, ...args], { env })).stdout;
    };
    const paths = [
      '/api/auth/me',
      '/api/users',
      '/api/interviews/sets',
      '/api/recordings/engines',
      '/api/interviews/history',
    ];
    const statuses = async (token: string) =>
      Promise.all(paths.map(async (path) => (await product.call({ method: 'get', path }, token)).status));
    const allowed = paths.map(() => 200);
    const refused = paths.map(() => 401);
    const publishedKeys = async () => {
      const path = '/api/auth/.well-known/jwks.json';
      return (await product.ask<{ keys: { kid: string }[] }>({ method: 'get', path })).keys;
    };

    // A rotation doesn't invalidate tokens.
    expect(await rotate()).toContain('stay valid');
    await expect.poll(async () => (await publishedKeys()).length, { timeout: 30_000 }).toBe(2);
    expect(await statuses(admin.token)).toEqual(allowed);

    const forged = await product.forgedToken(admin);
    expect(await statuses(forged)).toEqual(allowed);
    expect((await product.call({ method: 'get', path: audioUrl })).status).toBe(200);
    expect(await rotate('--now')).toContain('everyone signs in again');
    await expect.poll(() => statuses(forged), { timeout: 30_000 }).toEqual(refused);
    expect(await statuses(admin.token)).toEqual(refused);
    expect((await product.call({ method: 'get', path: audioUrl })).status).toBe(401);

    admin = await product.signIn('admin@example.com');
    expect(await statuses(admin.token)).toEqual(allowed);
    expect(await publishedKeys()).toHaveLength(1);
    const read = async () => {
      const search = { method: 'post', path: '/api/audit/search', body: { action: 'signing-key.rotate' } } as const;
      const { entries } = await product.ask<{ entries: AuditEntry[] }>(search, admin.token);
      return entries
        .filter(({ details }) => details.signs === 'access tokens')
        .map(({ actor, outcome, details }) => [actor, outcome, details.cause]);
    };
    await expect.poll(read, { timeout: 30_000 }).toEqual([
      [null, 'success', 'revocation'],
      [null, 'success', 'command'],
    ]);
  }, 120_000);
}
