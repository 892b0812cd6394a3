import * as fakeIndexedDb from 'fake-indexeddb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { allUnsentAnswers, deleteDraft, deleteDrafts, unsentAnswers } from './answer-drafts.ts';
import type { Draft } from './draft.ts';
import { draftCipher } from './draft-cipher.ts';
import { holdDraftKey } from './draft-key.ts';
import { draftsDatabase } from './drafts-database.ts';
import { encryptDrafts } from './encrypt-drafts.ts';
import { allHeldInTab } from './tab-memory.ts';
import { beginDraft, draftsWritten } from './write-draft.ts';

const [key, otherKey] = ['A'.repeat(43), 'B'.repeat(43)];
/** The start of a WebM file, more than a thousand bytes long. */
const signature = [0x1a, 0x45, 0xdf, 0xa3];
const pieces = ['a', 'b', 'c'].map(
  (letter) => new Uint8Array([...signature, ...Array(2000).fill(letter.charCodeAt(0))]),
);
const pieceBytes = 2004;
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);
const whole = pieces.map(textOf).join('');

const draft: Draft = {
  id: 'one',
  kind: 'interview',
  userId: 'ada',
  setId: 'set',
  sessionId: 'session',
  questionId: 2,
  sources: [{ setId: 'd'.repeat(24), questionId: 1 }],
  setTitle: 'Hooks in depth',
  setUpdatedAt: '2026-11-01T00:00:00.000Z',
  mediaType: 'audio/webm',
  startedAtMs: 1000,
};

beforeAll(() => {
  const { default: _, forceCloseDatabase: __, ...interfaces } = fakeIndexedDb;
  for (const [name, value] of Object.entries(interfaces)) vi.stubGlobal(name, value);
  vi.stubGlobal('indexedDB', new fakeIndexedDb.IDBFactory());
});
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(async () => {
  await draftsWritten();
  vi.restoreAllMocks();
  // The page closes its own connection: the next test opens another.
  await new Promise((resolve) => {
    indexedDB.deleteDatabase('interview-answers').onsuccess = resolve;
  });
});
afterAll(() => vi.unstubAllGlobals());

/** Signs a user in; the key may or may not arrive. @returns resolves after the first try */
async function signIn(userId = 'ada', fetched: string | Promise<string> = key): Promise<void> {
  const drop = await new Promise<() => void>((resolve) => {
    const stop = holdDraftKey(
      userId,
      async () => {
        const found = fetched;
        queueMicrotask(() => resolve(stop));
        return found;
      },
      (cipher) => void encryptDrafts(userId, cipher),
    );
  });
  onTestFinished(drop);
}

/** Records three pieces. */
async function record(recorded: Draft = draft): Promise<void> {
  const append = beginDraft(recorded);
  for (const piece of pieces) append(new Blob([piece]));
  await draftsWritten();
}

const contentOf = async (blob: Blob | undefined) => textOf(new Uint8Array((await blob?.arrayBuffer()) ?? []));
const storedDrafts = async () => (await draftsDatabase()).getAll('drafts');
const storedChunks = async () => (await draftsDatabase()).getAll('chunks');

/** The whole database as text, one character per byte. */
async function rawText(): Promise<string> {
  const texts: string[] = [];
  for (const value of [...(await storedDrafts()), ...(await storedChunks())]) {
    texts.push(JSON.stringify(value));
    for (const part of Object.values(value)) {
      if (part instanceof ArrayBuffer) texts.push(textOf(new Uint8Array(part)));
    }
  }
  return texts.join('\n');
}

test('an answer is encrypted chunk by chunk, and decrypts to what was recorded', async () => {
  await signIn();
  await record();
  const raw = await rawText();
  expect(raw).not.toContain(String.fromCharCode(...signature));
  expect(raw).not.toMatch(/Hooks|React|audio|dddd/);
  expect(raw).not.toContain('aaaaaaaa');
  expect(await storedChunks()).toHaveLength(3);

  const { answers, locked } = await unsentAnswers('ada', 'set');
  expect(locked).toEqual([]);
  expect(answers).toMatchObject([{ ...draft, persisted: true }]);
  expect(await contentOf(answers[0]?.answer.blob)).toBe(whole);
  expect(answers[0]?.answer.blob.type).toBe('audio/webm');
});

test('equal chunks are stored as different bytes', async () => {
  await signIn();
  const append = beginDraft(draft);
  for (const _ of pieces) append(new Blob([new Uint8Array(2000)]));
  await draftsWritten();
  const texts = (await storedChunks()).map((chunk) =>
    'encrypted' in chunk ? String(new Uint8Array(chunk.encrypted)) : '',
  );
  expect(new Set(texts).size).toBe(3);
});

test('without a key the answer is stored unencrypted, and encrypted once the key arrives', async () => {
  await record();
  expect(await rawText()).toContain('Hooks');
  expect((await unsentAnswers('ada', 'set')).answers).toHaveLength(1);

  await signIn();
  await expect.poll(rawText).not.toMatch(/Hooks|ccccc/);
  const { answers } = await unsentAnswers('ada', 'set');
  expect(await contentOf(answers[0]?.answer.blob)).toBe(whole);
});

test('a key that arrives during an answer encrypts the stored and all following chunks', async () => {
  const append = beginDraft(draft);
  append(new Blob([pieces[0] ?? '']));
  await draftsWritten();
  await signIn();
  for (const piece of pieces.slice(1)) append(new Blob([piece]));
  await draftsWritten();
  await expect.poll(rawText).not.toMatch(/Hooks|aaaaa/);
  expect(await contentOf((await unsentAnswers('ada', 'set')).answers[0]?.answer.blob)).toBe(whole);
});

test('a recording waits at most a second for a requested key, and keeps every chunk', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await signIn('ada', new Promise<string>(() => {}));
  const recorded = record();
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  await recorded;
  expect(await storedChunks()).toHaveLength(3);
  expect(await contentOf((await unsentAnswers('ada', 'set')).answers[0]?.answer.blob)).toBe(whole);
});

test('an unencrypted answer from an earlier release is read and encrypted', async () => {
  const db = await draftsDatabase();
  await db.put('drafts', draft);
  for (const [seq, bytes] of pieces.entries())
    await db.put('chunks', { draftId: 'one', seq, atMs: 2000, bytes: bytes.buffer });
  expect(await contentOf((await unsentAnswers('ada', 'set')).answers[0]?.answer.blob)).toBe(whole);
  await encryptDrafts('ada', await draftCipher(key));
  expect(await rawText()).not.toMatch(/Hooks|bbbbb/);
  await signIn();
  expect(await contentOf((await unsentAnswers('ada', 'set')).answers[0]?.answer.blob)).toBe(whole);
});

test('a page of an earlier release finds no draft that it could not read', async () => {
  await signIn();
  await record();
  const db = await draftsDatabase();
  expect(await db.getAllFromIndex('drafts', 'owner', IDBKeyRange.bound(['ada'], ['ada', []]))).toEqual([]);
  await deleteDraft('one');
  await (await draftsDatabase()).put('drafts', draft);
  expect(await db.getAllFromIndex('drafts', 'owner', IDBKeyRange.bound(['ada'], ['ada', []]))).toHaveLength(1);
});

test('another user sees nothing of it, and unencrypted data stays for its owner', async () => {
  await record({ ...draft, userId: 'bob' });
  await signIn();
  await record({ ...draft, id: 'two' });
  expect((await allUnsentAnswers('ada')).answers.map(({ id }) => id)).toEqual(['two']);
  await deleteDrafts(({ userId }) => userId === 'ada');
  expect((await allUnsentAnswers('bob')).answers).toHaveLength(1);
  expect((await allUnsentAnswers('ada')).answers).toEqual([]);
});

test('while the key is unavailable, the answer stays and says so', async () => {
  await (async () => {
    const drop = holdDraftKey(
      'ada',
      async () => key,
      () => {},
    );
    await record();
    drop();
  })();
  const { answers, locked } = await unsentAnswers('ada', 'set');
  expect(answers).toEqual([]);
  const head = { id: 'one', userId: 'ada', sessionId: 'session', questionId: 2, kind: 'interview' };
  expect(locked).toMatchObject([{ ...head, locked: 'no-key', sizeBytes: whole.length }]);
  await signIn();
  expect((await unsentAnswers('ada', 'set')).answers).toHaveLength(1);
});

test('with another key it cannot be read, and can be deleted', async () => {
  const drop = holdDraftKey(
    'ada',
    async () => key,
    () => {},
  );
  await record();
  drop();
  await signIn('ada', otherKey);
  expect(await unsentAnswers('ada', 'set')).toMatchObject({
    answers: [],
    locked: [{ id: 'one', locked: 'unreadable' }],
  });
  await deleteDraft('one');
  expect(await unsentAnswers('ada', 'set')).toEqual({ answers: [], locked: [] });
  expect(await storedChunks()).toEqual([]);
});

test('a changed or misplaced chunk ends the answer before it', async () => {
  await signIn();
  await record();
  const db = await draftsDatabase();
  const [, second, third] = await storedChunks();
  if (!second || !third || !('encrypted' in second) || !('encrypted' in third)) throw new Error('Pieces are in clear');
  await db.put('chunks', { ...second, encrypted: third.encrypted });
  const kept = async () => contentOf((await unsentAnswers('ada', 'set')).answers[0]?.answer.blob);
  expect(await kept()).toBe(whole.slice(0, pieceBytes));
  await db.put('chunks', second);
  new Uint8Array(third.encrypted)[20]! ^= 1;
  await db.put('chunks', third);
  expect(await kept()).toBe(whole.slice(0, 2 * pieceBytes));
  await db.put('chunks', { ...third, draftId: 'one', seq: 0 });
  expect((await unsentAnswers('ada', 'set')).locked).toMatchObject([{ locked: 'unreadable' }]);
});

test('a draft that claims another question than it was recorded for is not read', async () => {
  await signIn();
  await record();
  const [stored] = await storedDrafts();
  if (!stored) throw new Error('No draft');
  await (await draftsDatabase()).put('drafts', { ...stored, questionId: 0 });
  expect((await unsentAnswers('ada', 'set')).locked).toMatchObject([{ locked: 'unreadable' }]);
});

test('a draft deleted while it is being encrypted stays deleted', async () => {
  await record();
  const cipher = await draftCipher(key);
  const slow = {
    ...cipher,
    encrypt: async (...args: Parameters<typeof cipher.encrypt>) => {
      await deleteDraft('one');
      return cipher.encrypt(...args);
    },
  };
  await encryptDrafts('ada', slow);
  expect([await storedDrafts(), await storedChunks()]).toEqual([[], []]);
});

test('an answer that cannot be encrypted is kept in the tab', async () => {
  await signIn();
  vi.spyOn(crypto.subtle, 'encrypt').mockRejectedValue(new DOMException('', 'OperationError'));
  await record();
  const { answers } = await unsentAnswers('ada', 'set');
  expect(answers).toMatchObject([{ id: 'one', persisted: false }]);
  expect(await contentOf(answers[0]?.answer.blob)).toBe(whole);
  await deleteDraft('one');
  expect(allHeldInTab()).toEqual([]);
});
