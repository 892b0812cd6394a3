/** Pearson's correlation of two series of the same length; null where there are under two pairs or one does not vary. */
export const pearson = (xs: readonly number[], ys: readonly number[]): number | null => {
  if (xs.length !== ys.length) throw new RangeError('the series differ in length');
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
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
};
