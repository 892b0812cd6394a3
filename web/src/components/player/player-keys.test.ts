import { describe, expect, it } from 'vitest';
import { playerAction } from './player-keys.ts';
import { nextRate } from './seek-bar.tsx';

const press = (key: string, positionMs = 30_000, durationMs = 60_000, modifiers = {}) =>
  playerAction({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers }, positionMs, durationMs);

describe('playerAction', () => {
  it.each([
    ['ArrowLeft', 25_000],
    ['ArrowRight', 35_000],
    ['ArrowDown', 25_000],
    ['ArrowUp', 35_000],
    ['j', 20_000],
    ['l', 40_000],
    ['PageDown', 15_000],
    ['PageUp', 45_000],
    ['Home', 0],
    ['End', 60_000],
  ])('%s goes to %i ms', (key, toMs) => {
    expect(press(key)).toEqual({ type: 'seek', toMs });
  });

  it('stays within the recording', () => {
    expect(press('ArrowLeft', 2000)).toEqual({ type: 'seek', toMs: 0 });
    expect(press('ArrowRight', 58_000)).toEqual({ type: 'seek', toMs: 60_000 });
  });

  it('is limited only by the start when the duration is unknown', () => {
    expect(press('ArrowRight', 58_000, 0)).toEqual({ type: 'seek', toMs: 63_000 });
  });

  it.each([' ', 'Enter', 'k'])('%j plays and pauses', (key) => {
    expect(press(key)).toEqual({ type: 'toggle' });
  });

  it('ignores other keys and browser shortcuts', () => {
    expect(press('Tab')).toBeNull();
    expect(press('toString')).toBeNull();
    expect(press('l', 0, 60_000, { ctrlKey: true })).toBeNull();
    expect(press('ArrowLeft', 0, 60_000, { altKey: true })).toBeNull();
  });
});

describe('nextRate', () => {
  it('changes by one speed and stops at the ends', () => {
    expect(nextRate(1, 1)).toBe(1.25);
    expect(nextRate(1, -1)).toBe(0.75);
    expect(nextRate(2, 1)).toBe(2);
    expect(nextRate(0.75, -1)).toBe(0.75);
  });
});
