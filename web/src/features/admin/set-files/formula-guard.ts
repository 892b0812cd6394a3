/**
 * What a spreadsheet might take for a formula: a cell that begins with one of these, full-width forms included, behind
 * any apostrophes that are there already. Source: OWASP, CSV injection.
 */
const formula = /^'*[=+\-@|%\t\r\n＝＋－＠]/;

/** A cell that a spreadsheet takes for text: an apostrophe before what looks like a formula. */
export function guarded(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** The cell without that apostrophe: `unguarded(guarded(cell)) === cell`. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
