import { expect, test } from 'vitest';
import type { z } from 'zod';
import { InterviewDetail } from '../src/history.ts';
import { pickShared, sharedFields } from '../src/shared-fields.ts';

/** The paths of all fields of a schema, with `[]` for the elements of a list. */
function fieldsOf(schema: unknown, path = ''): string[] {
  const { def, shape } = schema as { def: { type: string; innerType?: unknown; element?: unknown }; shape?: object };
  if (def.innerType) return fieldsOf(def.innerType, path);
  if (shape) {
    return Object.entries(shape).flatMap(([name, inner]) => fieldsOf(inner, path === '' ? name : `${path}.${name}`));
  }
  if (def.type !== 'array') return [path];
  const inner = fieldsOf(def.element, `${path}[]`);
  return inner.length === 1 && inner[0] === `${path}[]` ? [path] : inner;
}

const everything = { media: true, transcript: true, verdicts: true };

test('every field of an interview says which options of a link show it', () => {
  expect(Object.keys(sharedFields).sort()).toEqual(fieldsOf(InterviewDetail satisfies z.ZodType).sort());
});

test('a field that is not listed is not shown, wherever it is', () => {
  const interview = {
    title: 'Warm-up',
    secret: 'x',
    recordings: [{ _id: '1', secret: 'x', assessment: { status: 'completed', more: { secret: 'x' } } }],
  };
  expect(JSON.stringify(pickShared(interview, everything))).not.toContain('"x"');
});

test('what a link does not show is as if it was not there', () => {
  const review = { by: 'admin', createdAt: 'now', correctnessPercentage: 10, reason: 'r', comments: [] };
  const points = [{ text: 'A', covered: true, evidence: 'said', state: 'covered' }];
  const recording = { _id: '1', assessment: { status: 'completed', points, review }, transcription: { text: 'said' } };
  const shows = { media: true, transcript: true, verdicts: false };
  const { recordings } = pickShared({ recordings: [recording] }, shows) as { recordings: { assessment: object }[] };
  expect(recordings[0]?.assessment).toEqual({ status: 'unscored' });
});
