/** An error in a file, with its place: 'Row 7, column email'. */
export interface FileError {
  place: string;
  message: string;
}

/**
 * Matches cells that a spreadsheet might evaluate as a formula, including full-width forms, after any existing
 * apostrophes. Source: OWASP, CSV injection.
 */
const formula = /^'*[=+\-@|%\t\r\n＝＋－＠]/;

/** Puts an apostrophe before anything that looks like a formula, so that spreadsheets treat it as text. */
export function escapeFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Removes that apostrophe: `unescapeFormula(escapeFormula(cell)) === cell`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

/** Loaded lazily, when a file is first written or read. */
const loadPapa = async () => (await import('papaparse')).default;
type Papa = Awaited<ReturnType<typeof loadPapa>>;

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF';
/** Our own delimiter, and those of spreadsheets in locales with a decimal comma. */
const delimiters = [',', ';', '\t'];

/** Writes rows as CSV for spreadsheets, headings first. Text that looks like a formula is escaped; numbers are not. */
export async function writeCsv(rows: readonly (readonly (string | number)[])[]): Promise<string> {
  const papa = await loadPapa();
  return (
    byteOrderMark +
    papa.unparse(
      rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : escapeFormula(cell)))),
      { newline: '\r\n' },
    )
  );
}

/** Encodes a list in one cell, as a nested CSV row: entries may contain commas. */
export async function listCells(): Promise<{ write(list: readonly string[]): string; read(cell: string): string[] }> {
  const papa = await loadPapa();
  return {
    write: (list) => (list.length === 0 ? '' : papa.unparse([[...list]])),
    read(cell) {
      const { data, errors } = papa.parse<string[]>(cell, { delimiter: ',', newline: '\n' });
      return (errors.length > 0 ? cell.split(',') : data.flat())
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '');
    },
  };
}

/** A row of a file. Numbered as in spreadsheets: the headings are row 1. */
interface TableRow<Column extends string> {
  place: string;
  /** The trimmed cell of a column; '' if there is none. */
  cell: (column: Column) => string;
}

/**
 * Reads a CSV file with headings, of which only letters are compared. Blank rows are skipped; a cell beyond the last heading
 * is an error.
 * @param required columns that must exist; the delimiter is the one that makes the first of them appear
 */
export async function readCsv<Column extends string>(
  text: string,
  headings: Readonly<Record<Column, readonly string[]>>,
  required: readonly [Column, ...Column[]],
): Promise<{ rows: TableRow<Column>[]; errors: FileError[] }> {
  const papa = await loadPapa();
  const content = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const [head = '', end = '\n'] = /^[^\r\n]*(\r\n|\r|\n)?/.exec(content) ?? [];
  const columnsOf = (heads: readonly string[]) => findColumns(heads, headings);
  const delimiter = delimiters.find((each) => required[0] in columnsOf(cellsOf(papa, head, each))) ?? ',';
  const { data, errors: parseErrors } = papa.parse<string[]>(content, { delimiter, newline: newlineOf(end) });
  const heads = data[0] ?? [];
  const columns = columnsOf(heads);

  const missing = required.filter((column) => columns[column] === undefined);
  if (missing.length > 0) {
    const errors = missing.map((name) => ({ place: 'Row 1', message: `The column “${name}” is missing` }));
    return { rows: [], errors };
  }
  const errors: FileError[] = parseErrors.map(({ row = 0, message }) => ({ place: `Row ${row + 1}`, message }));
  const rows: TableRow<Column>[] = [];
  for (const [index, cells] of data.entries()) {
    if (index === 0 || cells.every((cell) => cell.trim() === '')) continue;
    const place = `Row ${index + 1}`;
    for (const [at, extra] of cells.entries()) {
      if (at < heads.length || extra.trim() === '') continue;
      const message = `“${extra.trim()}” is beyond the last column. Put text that contains a ${delimiter === '\t' ? 'tab' : `“${delimiter}”`} in quotes.`;
      errors.push({ place: `${place}, column ${at + 1}`, message });
    }
    rows.push({ place, cell: (column) => unescapeFormula((cells[columns[column] ?? -1] ?? '').trim()) });
  }
  return { rows, errors };
}

const cellsOf = (papa: Papa, line: string, delimiter: string) =>
  papa.parse<string[]>(line.trimEnd(), { delimiter }).data[0] ?? [];

const newlineOf = (end: string) => (end === '\r\n' || end === '\r' ? end : '\n');

function findColumns<Column extends string>(
  heads: readonly string[],
  headings: Readonly<Record<Column, readonly string[]>>,
): Partial<Record<Column, number>> {
  const plain = heads.map((head) => head.toLowerCase().replace(/[^a-z]/g, ''));
  const columns: Partial<Record<Column, number>> = {};
  for (const [column, names] of Object.entries(headings) as [Column, readonly string[]][]) {
    const index = plain.findIndex((head) => names.includes(head));
    if (index >= 0) columns[column] = index;
  }
  return columns;
}
