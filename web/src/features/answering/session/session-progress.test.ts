import { afterEach, expect, test, vi } from 'vitest';
import { firstOpen, forgetProgress, keepProgress, resumeOrBegin, type SessionProgress } from './session-progress.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const questions = ['What is a hook?', 'Why keys?', 'What is a ref?'];
const allOf = (texts: string[]) => ({ questions: texts, asked: [...texts.keys()] });
const begun = () => ({
  sessionId: crypto.randomUUID(),
  ...allOf(questions),
  index: 2,
  saved: [{ _id: 'a', askedIndex: 0 }],
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a new session has a random UUID and starts at the first question', () => {
  const one = resumeOrBegin('user', 'set', allOf(questions));
  const other = resumeOrBegin('user', 'set', allOf(questions));
  expect(one.sessionId).toMatch(uuid);
  expect(one.sessionId).not.toBe(other.sessionId);
  expect(one).toMatchObject({ questions, index: 0, saved: [], setChanged: false });
});

test('a session on an insecure origin has a UUID too, although the browser does not generate one', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(crypto.randomUUID).toBeUndefined();
  for (let turn = 0; turn < 100; turn += 1)
    expect(resumeOrBegin('user', 'set', allOf(questions)).sessionId).toMatch(uuid);
});

test('a reload continues at the same question, for the same user and set', () => {
  const kept = begun();
  keepProgress('user', 'set', kept);
  expect(resumeOrBegin('user', 'set', allOf(questions))).toEqual({ ...kept, setChanged: false });
  expect(resumeOrBegin('user', 'other set', allOf(questions)).index).toBe(0);
  expect(resumeOrBegin('other user', 'set', allOf(questions)).index).toBe(0);
});

test.each([
  ['another wording', ['What is a hook?', 'Why are there keys?', 'What is a ref?']],
  ['one less', ['What is a hook?', 'Why keys?']],
  ['another order', ['Why keys?', 'What is a hook?', 'What is a ref?']],
])('a set edited in the meantime starts a new session: %s', (_change, now) => {
  const kept = begun();
  keepProgress('user', 'set', kept);
  const beginning = resumeOrBegin('user', 'set', allOf(now));
  expect(beginning).toMatchObject({ questions: now, index: 0, saved: [], setChanged: true });
  expect(beginning.sessionId).not.toBe(kept.sessionId);
});

test('a change of the set is not mentioned before the first answer', () => {
  keepProgress('user', 'set', { ...begun(), index: 0, saved: [] });
  expect(resumeOrBegin('user', 'set', allOf(['New?']))).toMatchObject({ questions: ['New?'], setChanged: false });
});

test('a finished session is not continued', () => {
  keepProgress('user', 'set', begun());
  forgetProgress('user', 'set');
  expect(resumeOrBegin('user', 'set', allOf(questions)).index).toBe(0);
});

test.each(['{', 'null', '{"sessionId":1}', '[]', '{"sessionId":"a","index":1,"saved":[]}'])(
  'unreadable progress starts a new session: %s',
  (text) => {
    sessionStorage.setItem('interview:user:set', text);
    expect(resumeOrBegin('user', 'set', allOf(questions))).toMatchObject({ index: 0, saved: [] });
  },
);

test('full storage does not break the session', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const setItem = () => {
    throw new DOMException('', 'QuotaExceededError');
  };
  vi.stubGlobal('sessionStorage', { setItem });
  keepProgress('user', 'set', begun());
  expect(warned).toHaveBeenCalledOnce();
});

test('progress from an older release, which asked every question, continues', () => {
  const { asked: _asked, ...older } = begun();
  keepProgress('user', 'set', older as unknown as SessionProgress);
  expect(resumeOrBegin('user', 'set', allOf(questions))).toMatchObject({
    sessionId: older.sessionId,
    asked: [0, 1, 2],
  });
});

test('selected questions form a separate session, which a reload continues', () => {
  const whole = begun();
  keepProgress('user', 'set', whole);
  const chosen = resumeOrBegin('user', 'set', { questions, asked: [0, 2] });
  expect(chosen).toMatchObject({ asked: [0, 2], index: 0, saved: [], setChanged: false });
  expect(chosen.sessionId).not.toBe(whole.sessionId);
  keepProgress('user', 'set', { ...chosen, index: 1 });
  expect(resumeOrBegin('user', 'set', { questions, asked: [0, 2] })).toMatchObject({
    sessionId: chosen.sessionId,
    index: 1,
  });
  expect(resumeOrBegin('user', 'set', allOf(questions)).sessionId).not.toBe(chosen.sessionId);
});

test('the text of follow-up questions is not stored; the server is asked again for an open one', () => {
  const saved = [0, 1, 2, 3].map((askedIndex) => ({ _id: String(askedIndex), askedIndex }));
  const followUps = [
    { questionId: 3, parentQuestionId: 0, question: 'You left out cleanup. Why does it matter?' },
    { questionId: 4, parentQuestionId: 1, question: 'And the second point?' },
  ];
  keepProgress('user', 'set', { ...begun(), index: 4, saved, followUps });
  expect(sessionStorage.getItem('interview:user:set')).not.toMatch(/cleanup|second point/);
  const resumed = resumeOrBegin('user', 'set', allOf(questions));
  expect(resumed).toMatchObject({ index: 4, saved });
  expect(resumed.followUps).toEqual([{ questionId: 3, parentQuestionId: 0, question: '' }]);
});

test('a session begun in another browser continues at its first open question', () => {
  const saved = [
    { _id: 'a', askedIndex: 0 },
    { _id: 'c', askedIndex: 2 },
  ];
  const plan = { ...allOf(questions), begun: { sessionId: 'there', saved } };
  expect(resumeOrBegin('user', 'set', plan)).toMatchObject({ sessionId: 'there', index: 1, saved });
  // This tab has an answer that isn't in the history yet.
  keepProgress('user', 'set', {
    ...allOf(questions),
    sessionId: 'there',
    index: 2,
    saved: [{ _id: 'b', askedIndex: 1 }],
  });
  const later = resumeOrBegin('user', 'set', { ...plan, begun: { sessionId: 'there', saved: saved.slice(0, 1) } });
  expect(later).toMatchObject({ index: 2, saved: [{ _id: 'a' }, { _id: 'b' }] });
});

test.each([
  [[], 0, 0],
  [[0], 1, 1],
  [[0, 1], 2, 2],
  [[1, 2], 3, 0],
  [[0, 1, 2], 1, null],
])('with answers to %j the first open question from %i on is %s', (answered, from, open) => {
  expect(
    firstOpen(
      3,
      answered.map((askedIndex) => ({ _id: '', askedIndex })),
      from,
    ),
  ).toBe(open);
});
