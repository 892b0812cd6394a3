/** The action of a key: toggle playback, or seek (in milliseconds). */
export type PlayerAction =
  | { type: 'toggle' }
  | { type: 'seek'; toMs: number }
  | { type: 'faster' }
  | { type: 'slower' };

type Keyed = (positionMs: number, durationMs: number) => PlayerAction;

const by =
  (deltaMs: number): Keyed =>
  (positionMs, durationMs) => ({ type: 'seek', toMs: clampMs(positionMs + deltaMs, durationMs) });

const keys = new Map<string, Keyed>([
  [' ', () => ({ type: 'toggle' })],
  ['Enter', () => ({ type: 'toggle' })],
  ['k', () => ({ type: 'toggle' })],
  ['ArrowLeft', by(-5000)],
  ['ArrowRight', by(5000)],
  ['ArrowDown', by(-5000)],
  ['ArrowUp', by(5000)],
  ['j', by(-10_000)],
  ['l', by(10_000)],
  ['PageDown', by(-15_000)],
  ['PageUp', by(15_000)],
  ['Home', () => ({ type: 'seek', toMs: 0 })],
  ['End', (_, durationMs) => ({ type: 'seek', toMs: durationMs })],
  ['<', () => ({ type: 'slower' })],
  ['>', () => ({ type: 'faster' })],
]);

/** Clamps a position to the recording; only to its start if the duration is unknown (0). */
export function clampMs(toMs: number, durationMs: number): number {
  return Math.max(0, durationMs > 0 ? Math.min(toMs, durationMs) : toMs);
}

/** The action of a key pressed on the seek bar; null for other keys and browser shortcuts. */
export function playerAction(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  positionMs: number,
  durationMs: number,
): PlayerAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  return keys.get(event.key)?.(positionMs, durationMs) ?? null;
}
