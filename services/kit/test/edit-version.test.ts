import { expect, test } from 'vitest';
import { changedSince, requireVersion, versionOf } from '../src/http/edit-version.ts';
import { errorResponse } from '../src/http/error-response.ts';

const saved = { title: 'Hooks', questions: ['Why?'], timeLimitSeconds: null };
const last = { by: 'anna@example.com', at: new Date('2026-11-24T10:00:00Z') };
const withIfMatch = (value?: string) => ({ get: () => value }) as never;

/** The response to an edit. */
function refusal(ifMatch?: string, fields = saved, replaced?: string[]) {
  try {
    requireVersion(withIfMatch(ifMatch), fields, last, replaced);
    return null;
  } catch (error) {
    return errorResponse(error);
  }
}

test('a version is the same for equal fields, and identifies those that differ', () => {
  expect(versionOf({ ...saved })).toBe(versionOf(saved));
  expect(changedSince(versionOf(saved), saved)).toEqual([]);
  expect(changedSince(versionOf(saved), { ...saved, questions: ['How?'], timeLimitSeconds: 60 as never })).toEqual([
    'questions',
    'timeLimitSeconds',
  ]);
});

test('a version of other fields differs in all of them', () =>
  expect(changedSince('old', saved)).toEqual(['title', 'questions', 'timeLimitSeconds']));

test.each([undefined, '*', `"${versionOf(saved)}"`, `W/"${versionOf(saved)}"`, versionOf(saved)])(
  'an edit with If-Match %s is allowed',
  (ifMatch) => expect(refusal(ifMatch)).toBeNull(),
);

test('an edit of an older version reports who changed what, and the version to continue from', () => {
  const now = { ...saved, questions: ['How?'], timeLimitSeconds: 60 as never };
  expect(refusal(`"${versionOf(saved)}"`, now)).toEqual({
    status: 409,
    body: {
      message: 'anna@example.com has changed this in the meantime: questions, time limit seconds',
      code: 'edit_conflict',
      details: [
        { path: 'questions', message: 'Changed in the meantime' },
        { path: 'timeLimitSeconds', message: 'Changed in the meantime' },
      ],
      conflict: { by: 'anna@example.com', at: '2026-11-24T10:00:00.000Z', version: versionOf(now) },
    },
  });
});

test('an edit of some fields is rejected only if those have changed', () => {
  const now = { ...saved, questions: ['How?'] };
  expect(refusal(`"${versionOf(saved)}"`, now, ['title'])).toBeNull();
  expect(refusal(`"${versionOf(saved)}"`, now, ['title', 'questions'])?.body.details?.map(({ path }) => path)).toEqual([
    'questions',
  ]);
});
