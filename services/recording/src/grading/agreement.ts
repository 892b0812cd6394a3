/** The mean of at least one number. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Pearson's correlation of two series of the same length; null with fewer than two pairs, or if one series is constant. */
export function pearson(xs: readonly number[], ys: readonly number[]): number | null {
  if (xs.length !== ys.length) throw new RangeError('the series differ in length');
  const [meanX, meanY] = [meanOf(xs), meanOf(ys)];
  let products = 0;
  let squaresX = 0;
  let squaresY = 0;
  for (const [index, x] of xs.entries()) {
    const dx = x - meanX;
    const dy = ys[index]! - meanY;
    products += dx * dy;
    squaresX += dx * dx;
    squaresY += dy * dy;
  }
  return squaresX > 0 && squaresY > 0 ? products / Math.sqrt(squaresX * squaresY) : null;
}

/** Ranks from 1; ties get their mean rank. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).toSorted((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (const index of order.slice(from, to)) ranks[index] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

/** Spearman's rank correlation; null in the same cases as Pearson's. */
export function spearman(xs: readonly number[], ys: readonly number[]): number | null {
  return pearson(ranksOf(xs), ranksOf(ys));
}

/** The root mean square error, in the unit of the series. */
export function rootMeanSquareError(xs: readonly number[], ys: readonly number[]): number {
  return Math.sqrt(meanOf(xs.map((x, index) => (x - ys[index]!) ** 2)));
}

/**
 * Cohen's κ of two series of verdicts: 1 = they always agree, 0 = no better than chance. Null if
 * there are none, or if both series consist of the same single verdict.
 */
export function cohenKappa(xs: readonly string[], ys: readonly string[]): number | null {
  if (xs.length !== ys.length) throw new RangeError('the series differ in length');
  const total = xs.length;
  if (total === 0) return null;
  const shareOf = (series: readonly string[], verdict: string) =>
    series.filter((each) => each === verdict).length / total;
  const observed = xs.filter((verdict, index) => verdict === ys[index]).length / total;
  const expected = [...new Set(xs)].reduce((sum, verdict) => sum + shareOf(xs, verdict) * shareOf(ys, verdict), 0);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}
