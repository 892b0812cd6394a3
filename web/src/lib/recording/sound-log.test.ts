import { expect, test } from 'vitest';
import { isUnheard, newSoundLog } from './sound-log.ts';

test('only a recording that was measured whole, without a sound, is unheard', () => {
  const measured = { ...newSoundLog(), measured: true };
  expect(isUnheard(measured)).toBe(true);
  expect(isUnheard({ ...measured, heard: true })).toBe(false);
  expect(isUnheard({ ...measured, incomplete: true })).toBe(false);
  expect(isUnheard(newSoundLog())).toBe(false);
});
