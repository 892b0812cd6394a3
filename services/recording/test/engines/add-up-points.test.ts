import { expect, it } from 'vitest';
import { rangeOf } from '../../src/engines/add-up-points.ts';

it("a verdict's range adds what unsure points may earn to what the others earned, up to 100", () => {
  expect(rangeOf([{ credit: 60 }, { credit: 40 }])).toBeUndefined();
  expect(rangeOf([{ credit: 50 }, { credit: 15, creditRange: { from: 0, to: 30 } }, { credit: 0 }])).toEqual({
    from: 50,
    to: 80,
  });
  expect(rangeOf([{ credit: 90 }, { credit: 10, creditRange: { from: 10, to: 20 } }])).toEqual({ from: 100, to: 100 });
});
