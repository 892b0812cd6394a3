import { expect, test } from 'vitest';
import { isSilent, newSoundLog } from './sound-level.ts';

test('only a recording that was measured completely, without sound, is silent', () => {
  const measured = { ...newSoundLog(), measured: true };
  expect(isSilent(measured)).toBe(true);
  expect(isSilent({ ...measured, heard: true })).toBe(false);
  expect(isSilent({ ...measured, incomplete: true })).toBe(false);
  expect(isSilent(newSoundLog())).toBe(false);
});
