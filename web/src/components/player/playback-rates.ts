/** The speeds that a player offers. */
export const playbackRates: readonly number[] = [0.75, 1, 1.25, 1.5, 2];

/** The next speed up or down from a rate; the last one stays. */
export function nextRate(rate: number, direction: 1 | -1): number {
  return playbackRates[playbackRates.indexOf(rate) + direction] ?? rate;
}
