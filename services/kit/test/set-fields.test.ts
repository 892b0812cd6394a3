import { Mongoose, Schema } from 'mongoose';
import { expect, test } from 'vitest';
import { expertPointsField } from '../src/mongo/set-fields.ts';

const model = new Mongoose().model('Answers', new Schema({ points: expertPointsField }));
const point = { text: 'A closure keeps its scope', weight: 1, acceptedWordings: [], optional: false };

test.each([
  ['lists of points', [[point], []]],
  ['nothing', undefined],
])('%s can be stored', (_what, points) => {
  const answers = new model({ points });
  expect(answers.validateSync()).toBeUndefined();
  expect(answers.toObject().points).toEqual(points);
});

test.each([
  ['a point without a text', [[{ ...point, text: ' ' }]]],
  ['a weight that is no number', [[{ ...point, weight: 'much' }]]],
  ['text', [['A closure keeps its scope']]],
])('%s is rejected', (_what, points) => {
  expect(new model({ points }).validateSync()?.errors.points).toBeDefined();
});
