import { expect, test } from 'vitest';
import { isHeard, soundLevel } from './sound-level.ts';

const tone = (amplitude: number) => Float32Array.from({ length: 1024 }, (_, index) => amplitude * Math.sin(index / 5));

test('the meter goes from silence to full', () => {
  expect(soundLevel(new Float32Array(1024))).toBe(0);
  expect(soundLevel(new Float32Array(0))).toBe(0);
  expect(soundLevel(tone(0.1))).toBeGreaterThan(soundLevel(tone(0.01)));
  expect(soundLevel(tone(1))).toBeLessThanOrEqual(1);
});

test("speech is detected, a room's hiss is not", () => {
  expect(isHeard(soundLevel(tone(0.1)))).toBe(true);
  expect(isHeard(soundLevel(tone(0.001)))).toBe(false);
});
