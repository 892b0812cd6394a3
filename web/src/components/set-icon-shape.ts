/** How a set's icon is drawn: its hue in degrees, and the heights of five bars, 4–30 of 48 units. */
export interface IconShape {
  hue: number;
  bars: readonly number[];
}

const barCount = 5;
const hues = 24;

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** The same seed gives the same icon, on every machine. */
export function iconOf(seed: string): IconShape {
  const hue = ((hash(`${seed}/hue`) % hues) * 360) / hues;
  const bars = Array.from({ length: barCount }, (_, index) => 4 + (hash(`${seed}/${index}`) % 14) * 2);
  return { hue, bars };
}
