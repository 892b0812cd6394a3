import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { AuditEntry } from '@interview-prep/contracts/audit/audit';
import type { AuditEvent } from '@interview-prep/contracts/audit/audit-event';
import { type ChainedEntry, checkChain, hashEntry, markOf } from '@interview-prep/kit/audit/audit-chain';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import { afterEach, describe, expect, test } from 'vitest';
import { writeAuditLines } from '../src/audit/open-audit.ts';
import { consumeEvents } from '../src/consume-events.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await started.stop();
});

/** Starts auth with the consumer of its queue, as in `main.ts`. */
async function startWithLog(environment: Record<string, string> = {}) {
  started = await startAuth(environment);
  const { backing, prefix, auth } = started;
  const connection = connectWorker(backing.settings.REDIS_URL, backing.log);
  const worker = consumeEvents(auth, { connection, prefix, log: backing.log });
  closers.push(
    () => worker.close(),
    async () => connection.disconnect(),
  );
}

const search = (token: string, filter: object = {}) => started.call('post', '/api/audit/search', token, filter);
async function entries(token: string, filter?: object): Promise<AuditEntry[]> {
  return (await search(token, filter).expect(200)).body.entries;
}
const summaries = (list: readonly AuditEntry[]) =>
  list.map(({ action, outcome, actorEmail }) => [action, outcome, actorEmail]);
const event = (n: number): AuditEvent => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  at: new Date(1_790_000_000_000 + n * 60_000).toISOString(),
  service: 'catalog',
  action: n % 2 === 0 ? 'set.create' : 'set.delete',
  outcome: 'success',
  actor: null,
  address: '192.0.2.1',
  target: `set:${n}`,
  requestId: null,
  details: {},
});
const stored = () => started.auth.auditLog.entries.find().sort({ _id: 1 }).lean<ChainedEntry[]>();

test('sign-ins can be hidden; a changed user has a state before and after', async () => {
  await startWithLog();
  const { token } = await started.signedIn('admin');
  const user = await started.signedIn('others');
  await started.call('put', `/api/users/${user.id}/suspension`, token, { suspended: true }).expect(200);
  await expect
    .poll(async () => (await entries(token, { hidesSignIns: true })).map(({ action, details }) => [action, details]))
    .toEqual([['user.suspend', { from: 'active', to: 'suspended' }]]);
  expect((await entries(token)).map(({ action }) => action)).toContain('sign-in');
});

describe('the audit log', () => {
  test('records successful and failed sign-ins, passwords, registrations and deletions, and no secrets', async () => {
    await startWithLog();
    const { token, id } = await started.signedIn('admin', 'ada@example.com');
    await started.login('ada@example.com', 'my-wrong-secret').expect(401);
    await started.login('my-typed-secret@example.com', password).expect(401);
    const change = { currentPassword: password, newPassword: 'my-new-secret' };
    const changed = await started.call('post', '/api/auth/change-password', token, change).expect(200);
    const body = { email: 'bob@example.com', password: 'my-dev-secret', technologies: ['go'] };
    const fresh: string = changed.body.token;
    const bob = (await started.call('post', '/api/auth/register', fresh, body).expect(201)).body.user;
    await started.call('delete', `/api/users/${bob.id}`, fresh).expect(204);
    await expect
      .poll(async () => summaries(await entries(fresh)))
      .toEqual([
        ['user.delete', 'success', 'ada@example.com'],
        ['user.create', 'success', 'ada@example.com'],
        ['password.change', 'success', 'ada@example.com'],
        ['sign-in', 'denied', null],
        ['sign-in', 'denied', 'ada@example.com'],
        ['sign-in', 'success', 'ada@example.com'],
      ]);
    const onBob = await entries(fresh, { person: bob.id });
    expect(onBob.map(({ actor, target }) => [actor, target])).toEqual([
      [id, `user:${bob.id}`],
      [id, `user:${bob.id}`],
    ]);
    const everything = JSON.stringify([
      await stored(),
      await started.backing.mongo.collection('audit_outbox').find().toArray(),
    ]);
    for (const secret of ['secret', password, fresh, token, '@example.com', '$argon2'])
      expect(everything).not.toContain(secret);
  });

  test('stores each event once, in an unbroken chain, also with concurrent writers', async () => {
    started = await startAuth();
    const { auditLog } = started.auth;
    const events = [1, 2, 3, 4, 5, 6].map(event);
    await Promise.all([...events, ...events].map((one) => auditLog.append(one)));
    const chain = await stored();
    expect(chain.map(({ _id }) => _id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(chain.map(({ eventId }) => eventId)).size).toBe(6);
    expect(await checkChain(Readable.from(chain), markOf(chain[2]!))).toMatchObject({
      count: 6,
      mark: markOf(chain[5]!),
      problems: [],
    });
  });

  test('detects each way of tampering', async () => {
    started = await startAuth();
    for (const n of [1, 2, 3, 4]) await started.auth.auditLog.append(event(n));
    const chain = await stored();
    const problemsOf = async (changed: ChainedEntry[], mark?: string) =>
      (await checkChain(Readable.from(changed), mark)).problems;
    const forged = { ...chain[1]!, actor: 'somebody else' };
    expect(await problemsOf(chain.with(1, forged))).toEqual(['2 was changed']);
    expect(await problemsOf(chain.with(1, { ...forged, hash: hashEntry(forged) }))).toEqual(['3 does not follow 2']);
    expect(await problemsOf(chain.toSpliced(2, 1))).toEqual(['after 2 comes 4: entries are missing']);
    expect((await checkChain(Readable.from(chain.slice(1)))).first?._id).toBe(2);
    expect(await problemsOf(chain.slice(0, 3), markOf(chain[3]!))).toEqual([
      `no entry has the mark ${markOf(chain[3]!)}`,
    ]);
  });

  test('keeps an entry for a year', async () => {
    started = await startAuth();
    await started.auth.auditLog.append(event(1));
    const [entry] = await stored();
    expect((entry!.expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(365, 2);
    const indexes = await started.auth.auditLog.entries.collection.indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
  });
});

describe('an admin', () => {
  test('filters the log by action, outcome, person and time, and pages through it', async () => {
    started = await startAuth();
    const { token, id } = await started.signedIn('admin', 'ada@example.com');
    for (let n = 1; n <= 7; n += 1) await started.auth.auditLog.append({ ...event(n), actor: n === 3 ? id : null });
    const places = (list: readonly AuditEntry[]) => list.map(({ place }) => place);
    expect(places(await entries(token, { action: 'set.create' }))).toEqual([6, 4, 2]);
    expect(places(await entries(token, { outcome: 'failed' }))).toEqual([]);
    expect(places(await entries(token, { person: 'ADA@example.com' }))).toEqual([3]);
    expect(places(await entries(token, { person: 'nobody@example.com' }))).toEqual([]);
    expect(places(await entries(token, { from: event(2).at, to: event(4).at }))).toEqual([3, 2]);
    const first = (await search(token, { limit: 3 }).expect(200)).body;
    expect([places(first.entries), first.next]).toEqual([[7, 6, 5], 5]);
    const second = (await search(token, { limit: 4, before: first.next }).expect(200)).body;
    expect([places(second.entries), second.next]).toEqual([[4, 3, 2, 1], null]);
    for (const filter of [{ action: 'other' }, { limit: 0 }, { before: 'x' }, { from: 'yesterday' }])
      await search(token, filter).expect(400);
  });

  test('sees the name of the group that an entry is about', async () => {
    started = await startAuth();
    const { token } = await started.signedIn('admin');
    const { group } = (await started.call('post', '/api/groups', token, { name: 'Autumn' }).expect(201)).body;
    await started.auth.auditLog.append({ ...event(1), target: `group:${group.id}` });
    await started.auth.auditLog.append({ ...event(2), details: { group: group.id } });
    await started.auth.auditLog.append({ ...event(3), target: `group:${'0'.repeat(24)}` });
    expect((await entries(token)).map(({ groupName }) => groupName)).toEqual([null, 'Autumn', 'Autumn']);
  });

  test('downloads the filtered log as CSV, in which no cell is a formula', async () => {
    started = await startAuth();
    const { token } = await started.signedIn('admin');
    await started.auth.auditLog.append(event(1));
    await started.auth.auditLog.append({ ...event(2), requestId: '=1+1', details: { note: 'a "quoted" word' } });
    const filter = { action: 'set.create' };
    const { text, headers } = await started.call('post', '/api/audit/entries.csv', token, filter).expect(200);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/);
    const [head, line, rest] = text.split('\r\n');
    expect(head).toBe(
      'place,at,service,action,outcome,actor,actorEmail,address,target,targetEmail,groupName,requestId,details,id',
    );
    expect(line).toContain('"2","');
    expect(line).toContain(`"'=1+1","{""note"":""a \\""quoted\\"" word""}"`);
    expect(rest).toBe('');
  });

  test('is the only one who can read the log', async () => {
    started = await startAuth();
    const { token } = await started.signedIn('dev');
    for (const path of ['/api/audit/search', '/api/audit/entries.csv']) {
      await started.call('post', path, token).expect(403);
      await started.call('post', path).expect(401);
    }
  });
});

test('new entries are also written as JSON lines to a file that only its owner can read, including those from a time without a writer', async () => {
  started = await startAuth();
  const { auditLog } = started.auth;
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  closers.push(() => rm(folder, { recursive: true }));
  const path = join(folder, 'audit.jsonl');
  await auditLog.append(event(1));
  await auditLog.append(event(2));
  await writeAuditLines(path, auditLog.entries);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  // As if the process was killed while writing the last line.
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -20));
  await auditLog.append(event(3));
  const write = await writeAuditLines(path, auditLog.entries);
  await auditLog.append(event(4));
  await write((await stored()).at(-1)!);
  const whole = (await readFile(path, 'utf8')).split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as { type: string; place: number; hash: string }];
    } catch {
      return [];
    }
  });
  expect(whole.map(({ type, place }) => `${type} ${place}`)).toEqual(['audit 1', 'audit 2', 'audit 3', 'audit 4']);
  expect(whole.at(-1)!.hash).toBe((await stored()).at(-1)!.hash);
});
