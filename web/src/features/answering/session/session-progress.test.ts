import { afterEach, expect, test, vi } from 'vitest';
import { forgetProgress, keepProgress, resumeOrBegin } from './session-progress.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const questions = ['What is a hook?', 'Why keys?', 'What is a ref?'];
const begun = () => ({ sessionId: crypto.randomUUID(), questions, index: 2, saved: [{ _id: 'a', questionId: 0 }] });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a new session has a random UUID and starts at the first question', () => {
  const one = resumeOrBegin('user', 'set', questions);
  const other = resumeOrBegin('user', 'set', questions);
  expect(one.sessionId).toMatch(uuid);
  expect(one.sessionId).not.toBe(other.sessionId);
  expect(one).toMatchObject({ questions, index: 0, saved: [], setChanged: false });
});

test('a session at an insecure address has a UUID too, though the browser offers none', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(crypto.randomUUID).toBeUndefined();
  for (let turn = 0; turn < 100; turn += 1) expect(resumeOrBegin('user', 'set', questions).sessionId).toMatch(uuid);
});

test('a reload continues at the same question, for the same user and set', () => {
  const kept = begun();
  keepProgress('user', 'set', kept);
  expect(resumeOrBegin('user', 'set', questions)).toEqual({ ...kept, setChanged: false });
  expect(resumeOrBegin('user', 'other set', questions).index).toBe(0);
  expect(resumeOrBegin('other user', 'set', questions).index).toBe(0);
});

test.each([
  ['another wording', ['What is a hook?', 'Why are there keys?', 'What is a ref?']],
  ['one less', ['What is a hook?', 'Why keys?']],
  ['another order', ['Why keys?', 'What is a hook?', 'What is a ref?']],
])('a set that was edited meanwhile starts a new session: %s', (_change, now) => {
  const kept = begun();
  keepProgress('user', 'set', kept);
  const beginning = resumeOrBegin('user', 'set', now);
  expect(beginning).toMatchObject({ questions: now, index: 0, saved: [], setChanged: true });
  expect(beginning.sessionId).not.toBe(kept.sessionId);
});

test('a change of the set is not mentioned before the first answer', () => {
  keepProgress('user', 'set', { ...begun(), index: 0, saved: [] });
  expect(resumeOrBegin('user', 'set', ['New?'])).toMatchObject({ questions: ['New?'], setChanged: false });
});

test('a finished session is not continued', () => {
  keepProgress('user', 'set', begun());
  forgetProgress('user', 'set');
  expect(resumeOrBegin('user', 'set', questions).index).toBe(0);
});

test.each(['{', 'null', '{"sessionId":1}', '[]', '{"sessionId":"a","index":1,"saved":[]}'])(
  'unreadable progress starts a new session: %s',
  (text) => {
    sessionStorage.setItem('interview:user:set', text);
    expect(resumeOrBegin('user', 'set', questions)).toMatchObject({ index: 0, saved: [] });
  },
);

test('a full storage does not break the session', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const setItem = () => {
    throw new DOMException('', 'QuotaExceededError');
  };
  vi.stubGlobal('sessionStorage', { setItem });
  keepProgress('user', 'set', begun());
  expect(warned).toHaveBeenCalledOnce();
});
