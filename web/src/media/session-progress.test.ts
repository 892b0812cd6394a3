import { expect, test } from 'vitest';
import { forgetProgress, keepProgress, resumeOrBegin } from './session-progress.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a new session has a random UUID and begins at the first question', () => {
  const one = resumeOrBegin('user', 'set');
  const other = resumeOrBegin('user', 'set');
  expect(one.sessionId).toMatch(uuid);
  expect(one.sessionId).not.toBe(other.sessionId);
  expect(one).toMatchObject({ index: 0, saved: [] });
});

test('a reload goes on where it was, for the same user and set', () => {
  const kept = { sessionId: crypto.randomUUID(), index: 2, saved: [{ _id: 'a', questionId: 0 }] };
  keepProgress('user', 'set', kept);
  expect(resumeOrBegin('user', 'set')).toEqual(kept);
  expect(resumeOrBegin('user', 'other set').index).toBe(0);
  expect(resumeOrBegin('other user', 'set').index).toBe(0);
});

test('a session that is over is not gone on with', () => {
  keepProgress('user', 'set', { sessionId: crypto.randomUUID(), index: 1, saved: [] });
  forgetProgress('user', 'set');
  expect(resumeOrBegin('user', 'set').index).toBe(0);
});

test.each(['{', 'null', '{"sessionId":1}', '[]'])('a broken memory begins anew: %s', (text) => {
  sessionStorage.setItem('interview:user:set', text);
  expect(resumeOrBegin('user', 'set')).toMatchObject({ index: 0, saved: [] });
});
