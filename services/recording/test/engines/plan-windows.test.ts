import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthOf, planWindows, splitEvenly } from '../../src/engines/whisper/plan-windows.ts';
import { levelFrameMs } from '../../src/media/wav-samples.ts';
import { frameMs, speechSpans } from '../../src/speech-detector/speech-spans.ts';

const spans = (...pairs: [number, number][]) => pairs.map(([fromMs, toMs]) => ({ fromMs, toMs }));
/** Levels that are loud except at these times. */
const loudExcept = (durationMs: number, ...quietMs: number[]) => levelsOf(durationMs, 80, quietMs);
const levelsOf = (durationMs: number, aroundMs: number, quietMs: number[]) =>
  new Float32Array(durationMs / levelFrameMs).map((_, at) =>
    quietMs.some((ms) => Math.abs(at * levelFrameMs - ms) <= aroundMs) ? -60 : -20,
  );

describe('windows of speech', () => {
  it('leave out long pauses and keep short ones', () => {
    expect(planWindows(spans([1000, 3000], [3500, 6000], [60_000, 64_000]))).toEqual([
      { pieces: spans([1000, 6000], [60_000, 64_000]), durationMs: 9000 },
    ]);
  });

  it('end at the first clear pause after 10 s', () => {
    const speech = spans([0, 9000], [9500, 16_000], [16_120, 19_000], [19_500, 30_000]);
    expect(planWindows(speech).map(({ pieces }) => pieces)).toEqual([spans([0, 16_000]), spans([16_120, 30_000])]);
  });

  it('end at the quietest of the short pauses if there is no clear one', () => {
    const speech = spans([0, 11_000], [11_000, 14_000], [14_000, 20_000], [20_000, 32_000]);
    const [window] = planWindows(speech, loudExcept(32_000, 14_000));
    expect(window?.pieces).toEqual(spans([0, 14_000]));
  });

  it('end at the first short pause after 10 s if the detector found none', () => {
    const windows = planWindows(spans([0, 40_000]), levelsOf(40_000, 100, [6000, 12_000, 20_000, 31_000]));
    expect(windows.map(({ pieces }) => pieces)).toEqual([
      spans([0, 12_000]),
      spans([12_000, 31_008]),
      spans([31_008, 40_000]),
    ]);
  });

  it('do not end in the final silence, which would leave nothing for the next one', () => {
    const levels = levelsOf(16_000, 100, [15_850]);
    expect(planWindows(spans([0, 16_000]), levels).map(({ pieces }) => pieces)).toEqual([spans([0, 16_000])]);
    // A short pause, since more follows soon.
    expect(planWindows(spans([0, 16_000], [16_050, 20_000]), levels)).toHaveLength(2);
  });

  it('overlap if the speech has no gap at all, and are cut at the quietest moments', () => {
    const windows = planWindows(spans([0, 40_000]), loudExcept(40_000, 22_400, 20_000));
    expect(windows.map(({ pieces }) => pieces)).toEqual([spans([0, 22_440]), spans([20_024, 40_000])]);
  });

  it('are cut evenly with an overlap if someone is waiting', () => {
    const long = { pieces: spans([1000, 3000], [10_000, 28_000]), durationMs: 20_000 };
    expect(splitEvenly([long], loudExcept(28_000, 19_200, 16_800), 2)).toEqual([
      { pieces: spans([1000, 3000], [10_000, 19_226]), durationMs: 11_226 },
      { pieces: spans([16_842, 28_000]), durationMs: 11_158 },
    ]);
    // Two windows with an overlap already, the second of which is short.
    const [first, second] = planWindows(spans([0, 27_000]), loudExcept(27_000, 22_400, 20_000));
    const even = splitEvenly([first!, second!], loudExcept(27_000, 14_400, 12_000), 2);
    expect(even.map(({ pieces }) => pieces)).toEqual([spans([0, 14_438]), spans([12_022, 27_000])]);
    expect(splitEvenly([long], loudExcept(28_000), 4)).toHaveLength(2);
    expect(splitEvenly([first!, second!], loudExcept(27_000), 4)).toHaveLength(3);
  });

  it('stay as they are if cutting them evenly would save no time', () => {
    const levels = loudExcept(90_000);
    const windows = (...ends: number[]) =>
      ends.map((toMs, at) => {
        const pieces = spans([ends[at - 1] ?? 0, toMs]);
        return { pieces, durationMs: lengthOf(pieces) };
      });
    for (const [slots, ...ends] of [
      [2, 12_000],
      [1, 20_000],
      [2, 14_000, 26_000],
      [2, 25_000, 50_000],
      [2, 25_000, 30_000, 31_000],
    ] as const)
      expect(splitEvenly(windows(...ends), levels, slots)).toEqual(windows(...ends));
  });

  it("lose no speech when they are cut evenly, and never exceed Whisper's maximum", () => {
    const spoken = fc.array(fc.tuple(fc.nat(3000), fc.integer({ min: 300, max: 30_000 })), {
      minLength: 1,
      maxLength: 8,
    });
    const levels = fc.float32Array({ minLength: 3000, maxLength: 3000, min: -90, max: 0, noNaN: true });
    fc.assert(
      fc.property(spoken, levels, fc.integer({ min: 1, max: 4 }), (parts, levelsOfFrames, slots) => {
        let atMs = 0;
        const speech = parts.map(([pauseMs, spokenMs]) => {
          const span = { fromMs: atMs + pauseMs, toMs: atMs + pauseMs + spokenMs };
          atMs = span.toMs;
          return span;
        });
        const windows = planWindows(speech, levelsOfFrames).slice(-slots);
        const even = splitEvenly(windows, levelsOfFrames, slots);
        for (const { durationMs } of even) expect(durationMs).toBeLessThanOrEqual(25_000);
        const momentsOf = (some: typeof windows) => {
          const heard = new Set<number>();
          for (const { fromMs, toMs } of some.flatMap(({ pieces }) => pieces))
            for (let at = Math.ceil(fromMs / 50); at * 50 < toMs; at++) heard.add(at);
          return [...heard].sort((a, b) => a - b);
        };
        expect(momentsOf(even)).toEqual(momentsOf(windows));
      }),
    );
  });

  it("lose no speech, and never exceed Whisper's maximum", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3000), fc.integer({ min: 300, max: 60_000 }))), (parts) => {
        let atMs = 0;
        const speech = parts.map(([pauseMs, spokenMs]) => {
          const span = { fromMs: atMs + pauseMs, toMs: atMs + pauseMs + spokenMs };
          atMs = span.toMs;
          return span;
        });
        const windows = planWindows(speech);
        for (const { durationMs } of windows) expect(durationMs).toBeLessThanOrEqual(25_000);
        const pieces = windows.flatMap((window) => window.pieces);
        for (const { fromMs, toMs } of speech)
          for (let ms = fromMs; ms < toMs; ms += 500)
            expect(pieces.some((piece) => piece.fromMs <= ms && ms < piece.toMs)).toBe(true);
      }),
    );
  });

  it('do not change once they are complete, however the recording continues', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.constantFrom(0, 0.4, 0.9, 0.9));
    fc.assert(
      fc.property(fc.array(part, { minLength: 5, maxLength: 60 }), fc.infiniteStream(fc.nat(60)), (parts, noise) => {
        const probabilities = parts.flatMap(([frames, probability]) => Array<number>(frames).fill(probability));
        // Quiet noise without speech.
        const levels = Float32Array.from(
          probabilities,
          (one) => -20 - Number(noise.next().value) / 4 - (one < 0.5 ? 30 : 0),
        );
        const whole = planWindows(speechSpans(probabilities), levels);
        for (let frames = 50; frames < probabilities.length; frames += 37) {
          const speech = speechSpans(probabilities.slice(0, frames));
          const soFar = planWindows(speech, levels.slice(0, frames), frames * frameMs);
          expect(soFar).toEqual(whole.slice(0, soFar.length));
        }
        const all = planWindows(speechSpans(probabilities), levels, probabilities.length * frameMs);
        expect(all.length).toBeGreaterThanOrEqual(whole.length - 2);
      }),
    );
  });
});
