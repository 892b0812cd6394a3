import { expect, test } from 'vitest';
import type { ReadySet } from './check-sets.ts';
import { choosing, type ImportEvent, type ImportState, importReducer, savingsOf } from './import-state.ts';

const set = (place: string): ReadySet => ({
  place,
  body: { title: place, technology: 'react', tags: [], questions: ['Why?'] },
  technology: { id: '1', name: 'React', slug: 'react' },
  replaces: undefined,
});
const sets = [set('Row 2'), set('Row 5')];
const after = (...events: ImportEvent[]): ImportState => events.reduce(importReducer, choosing);
const chosen = { kind: 'chosen', fileName: 'a.csv' } as const;
const ready = [chosen, { kind: 'checked', sets, errors: [] }] as const;
const failed = { status: 'failed', message: 'Too many' } as const;
const saved = { status: 'saved' } as const;

test('a file with errors is never saved', () => {
  const invalid = after(chosen, { kind: 'checked', sets, errors: [{ place: 'Row 2', message: 'Title is required' }] });
  expect(invalid.status).toBe('invalid');
  expect(importReducer(invalid, { kind: 'started' })).toBe(invalid);
});

test('failed sets are retried, saved ones are not', () => {
  const done = after(
    ...ready,
    { kind: 'started' },
    { kind: 'settled', index: 0, saving: failed },
    { kind: 'settled', index: 1, saving: saved },
    { kind: 'finished' },
  );
  expect(done).toMatchObject({ status: 'done', savings: [failed, saved] });
  expect(importReducer(done, { kind: 'started' })).toMatchObject({
    status: 'saving',
    savings: [{ status: 'waiting' }, saved],
  });
});

test('existing sets are skipped, unless the admin replaces them', () => {
  const checked = { kind: 'checked', sets: [set('Row 2'), { ...set('Row 5'), replaces: 'a1' }], errors: [] } as const;
  const skipping = after(chosen, checked, { kind: 'started' });
  expect(savingsOf(skipping)).toEqual([{ status: 'waiting' }, { status: 'skipped' }]);
  const replacing = after(chosen, checked, { kind: 'existing-chosen', existing: 'replace' }, { kind: 'started' });
  expect(savingsOf(replacing)).toEqual([{ status: 'waiting' }, { status: 'waiting' }]);
  expect(importReducer(replacing, { kind: 'existing-chosen', existing: 'skip' })).toBe(replacing);
});

test('while saving, nothing else can start', () => {
  const saving = after(...ready, { kind: 'started' });
  for (const event of [chosen, { kind: 'started' }, { kind: 'restarted' }] as const) {
    expect(importReducer(saving, event)).toBe(saving);
  }
});

test('a result for a file that is no longer selected is dropped', () => {
  const restarted = after(chosen, { kind: 'restarted' });
  expect(importReducer(restarted, { kind: 'checked', sets, errors: [] })).toEqual(choosing);
});
