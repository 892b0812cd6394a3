import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameMs, speechSpans } from '../../src/speech-detector/speech-spans.ts';

/** Frames with these probabilities, each for a number of milliseconds. */
const frames = (...parts: [ms: number, probability: number][]) =>
  parts.flatMap(([ms, probability]) => Array<number>(ms / frameMs).fill(probability));

describe('speech spans', () => {
  it('extend beyond the frames in which the detector hears speech, within the recording', () => {
    expect(speechSpans(frames([960, 0], [960, 0.9], [960, 0]))).toEqual([{ fromMs: 720, toMs: 2160 }]);
    expect(speechSpans(frames([960, 0.9]))).toEqual([{ fromMs: 0, toMs: 960 }]);
  });

  it('continue through quiet speech and short pauses', () => {
    expect(speechSpans(frames([960, 0.9], [960, 0.4], [960, 0.9]))).toHaveLength(1);
    expect(speechSpans(frames([960, 0.9], [128, 0], [960, 0.9]))).toHaveLength(1);
    expect(speechSpans(frames([960, 0.9], [960, 0], [960, 0.9]))).toEqual([
      { fromMs: 0, toMs: 1200 },
      { fromMs: 1680, toMs: 2880 },
    ]);
  });

  it('meet in the middle of a pause that is shorter than their margins', () => {
    expect(speechSpans(frames([960, 0.9], [320, 0], [960, 0.9]))).toEqual([
      { fromMs: 0, toMs: 1120 },
      { fromMs: 1120, toMs: 2240 },
    ]);
  });

  it('leave out clicks, and sound that might not be speech', () => {
    expect(speechSpans(frames([960, 0], [96, 0.9], [960, 0]))).toEqual([]);
    expect(speechSpans(frames([3200, 0.45]))).toEqual([]);
    expect(speechSpans([])).toEqual([]);
  });

  it('are in order, do not overlap, and lie within the recording, for any detector output', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { maxLength: 400 }), (probabilities) => {
        let last = 0;
        for (const { fromMs, toMs } of speechSpans(probabilities)) {
          expect(fromMs).toBeGreaterThanOrEqual(last);
          expect(toMs).toBeGreaterThan(fromMs);
          last = toMs;
        }
        expect(last).toBeLessThanOrEqual(probabilities.length * frameMs);
      }),
    );
  });
});
