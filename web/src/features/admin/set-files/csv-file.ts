import { type AnswerTiming, type TimingField, timingFieldNames } from '@interview-prep/contracts/catalog/answer-timing';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { type FileError, type FileSet, type ReadFile, type ReadSet, setKinds } from './file-set.ts';

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

/** Loaded when a file is first written or read. */
const loadPapa = async () => (await import('papaparse')).default;
type Papa = Awaited<ReturnType<typeof loadPapa>>;

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF';
const newline = '\r\n';
/** Ours, and what spreadsheets write in locales with a decimal comma. */
const delimiters = [',', ';', '\t'];

/** Headings of each column, compared by letters only, ignoring case. */
const headings = {
  set: ['set'],
  title: ['title'],
  technology: ['technology'],
  tags: ['tags'],
  vocabulary: ['vocabulary'],
  language: ['language', 'spokenlanguage'],
  followUps: ['followups', 'asksfollowups'],
  thinkingSeconds: ['thinkingseconds', 'thinkingtime'],
  timeLimitSeconds: ['timelimitseconds', 'timelimit'],
  lengthHintSeconds: ['lengthhintseconds', 'suggestedlength'],
  question: ['question'],
  answer: ['expertanswer', 'answer'],
  points: ['points', 'expertpoints'],
} as const;
type Column = keyof typeof headings;
const required: readonly Column[] = ['title', 'technology', 'question'];

/**
 * Sets as CSV: one row per question. The column `set` keeps sets with the same title apart. Cells that look like a
 * formula are guarded.
 */
export async function setsToCsv(kind: SessionKind, sets: readonly FileSet[]): Promise<string> {
  const papa = await loadPapa();
  const { answerColumn, pointsField, canAskFollowUps, timing: times } = setKinds[kind];
  const rows = sets.flatMap(
    ({ title, technology, tags, vocabulary, language, asksFollowUps, timing, pairs }, index) => {
      const lists = [listCell(papa, tags), listCell(papa, vocabulary)];
      const followUps = canAskFollowUps ? [asksFollowUps ? 'yes' : 'no'] : [];
      const seconds = times.map((field) => timing[field]?.toString() ?? '');
      const head = [String(index + 1), title, technology, ...lists, language, ...followUps, ...seconds];
      return pairs.map(({ question, answer, points = [] }) => {
        const pointsCell = pointsField ? [points.length > 0 ? JSON.stringify(points) : ''] : [];
        return [...head, question, answer, ...pointsCell].map(guarded);
      });
    },
  );
  const heads = [
    ...['set', 'title', 'technology', 'tags', 'vocabulary', 'language'],
    ...(canAskFollowUps ? ['follow-ups'] : []),
    ...times,
    ...['question', answerColumn],
    ...(pointsField ? ['points'] : []),
  ];
  return byteOrderMark + papa.unparse([heads, ...rows], { newline });
}

/** A list in one cell, as a CSV row of its own: a tag may contain a comma. */
const listCell = (papa: Papa, list: readonly string[]): string => (list.length === 0 ? '' : papa.unparse([[...list]]));

function listOf(papa: Papa, cell: string): string[] {
  const { data, errors } = papa.parse<string[]>(cell, { delimiter: ',', newline: '\n' });
  return (errors.length > 0 ? cell.split(',') : data.flat())
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/**
 * Reads sets from CSV. Rows with the same `set` number form a set, else rows with the same title and technology. A row
 * without number and title is a set of its own: its blank title is an error.
 */
export async function setsFromCsv(text: string): Promise<ReadFile> {
  const papa = await loadPapa();
  const content = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const [head = '', end = '\n'] = /^[^\r\n]*(\r\n|\r|\n)?/.exec(content) ?? [];
  const delimiter = delimiters.find((each) => 'title' in columnsOf(cellsOf(papa, head, each))) ?? ',';
  const { data, errors: parseErrors } = papa.parse<string[]>(content, { delimiter, newline: newlineOf(end) });
  const heads = data[0] ?? [];
  const columns = columnsOf(heads);

  const missing = required.filter((column) => columns[column] === undefined);
  if (missing.length > 0) {
    return {
      sets: [],
      errors: missing.map((name) => ({ place: 'Row 1', message: `The column “${name}” is missing` })),
    };
  }
  const errors: FileError[] = parseErrors.map(({ row = 0, message }) => ({ place: `Row ${row + 1}`, message }));
  const sets = new SetsOfRows((cell) => listOf(papa, cell), errors);
  for (const [index, cells] of data.entries()) {
    if (index === 0 || cells.every((cell) => cell.trim() === '')) continue;
    const cell = (column: Column) => unguarded((cells[columns[column] ?? -1] ?? '').trim());
    const place = `Row ${index + 1}`;
    for (const [at, extra] of cells.entries()) {
      if (at < heads.length || extra.trim() === '') continue;
      const message = `“${extra.trim()}” is beyond the last column. Put text that contains a ${delimiter === '\t' ? 'tab' : `“${delimiter}”`} in quotes.`;
      errors.push({ place: `${place}, column ${at + 1}`, message });
    }
    sets.add(place, cell);
  }
  return { sets: sets.all, errors };
}

const cellsOf = (papa: Papa, line: string, delimiter: string) =>
  papa.parse<string[]>(line.trimEnd(), { delimiter }).data[0] ?? [];

const newlineOf = (end: string) => (end === '\r\n' || end === '\r' ? end : '\n');

function columnsOf(heads: readonly string[]): Partial<Record<Column, number>> {
  const plain = heads.map((head) => head.toLowerCase().replace(/[^a-z]/g, ''));
  const columns: Partial<Record<Column, number>> = {};
  for (const [column, names] of Object.entries(headings) as [Column, readonly string[]][]) {
    const index = plain.findIndex((head) => names.includes(head));
    if (index >= 0) columns[column] = index;
  }
  return columns;
}

type Group = ReadSet & { number: string; pairs: ReadSet['pairs'][number][] };

/** Whether a row's list is not that of its set; an empty cell means the set's. */
const differs = (list: readonly string[], ofSet: readonly string[]) =>
  list.length > 0 && list.join('\n') !== ofSet.join('\n');

const sameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The times of a row; what is not a number fails the check of the set. */
const timingOf = (cell: (column: Column) => string): AnswerTiming =>
  Object.fromEntries(
    timingFieldNames.flatMap((field: TimingField) => (cell(field) === '' ? [] : [[field, Number(cell(field))]])),
  );

const timesDiffer = (time: number | undefined, ofSet: number | undefined) =>
  time !== undefined && !Object.is(time, ofSet);

/** Groups rows into sets, in order of first appearance. */
class SetsOfRows {
  readonly all: Group[] = [];
  readonly #listOf: (cell: string) => string[];
  readonly #errors: FileError[];

  constructor(listOf: (cell: string) => string[], errors: FileError[]) {
    this.#listOf = listOf;
    this.#errors = errors;
  }

  add(place: string, cell: (column: Column) => string): void {
    const head = {
      number: cell('set'),
      title: cell('title'),
      technology: cell('technology'),
      tags: this.#listOf(cell('tags')),
      vocabulary: this.#listOf(cell('vocabulary')),
      language: cell('language').toLowerCase(),
      asksFollowUps: this.#yesOrNo(place, cell('followUps')),
      timing: timingOf(cell),
    };
    const group = this.#groupOf(head) ?? this.#begin(place, head);
    const differences = [
      head.title !== '' && head.title !== group.title && 'title differs',
      head.technology !== '' && !sameWord(head.technology, group.technology) && 'technology differs',
      differs(head.tags, group.tags) && 'tags differ',
      differs(head.vocabulary, group.vocabulary) && 'vocabulary differs',
      head.language !== '' && head.language !== group.language && 'language differs',
      head.asksFollowUps !== undefined && head.asksFollowUps !== group.asksFollowUps && 'column follow-ups differs',
      ...timingFieldNames.map((field) => timesDiffer(head.timing[field], group.timing[field]) && `${field} differs`),
    ];
    for (const difference of differences.filter((each) => each !== false)) {
      this.#errors.push({ place, message: `The ${difference} from ${group.place.toLowerCase()} of the same set` });
    }
    const points = this.#pointsOf(place, cell('points'));
    group.pairs.push({ question: cell('question'), answer: cell('answer'), points, place });
  }

  #yesOrNo(place: string, cell: string): boolean | undefined {
    if (/^(?:yes|no|)$/i.test(cell)) return cell === '' ? undefined : cell.toLowerCase() === 'yes';
    this.#errors.push({ place, message: 'The column follow-ups must be yes or no' });
    return undefined;
  }

  /** The points of a cell, to be checked with the set; undefined for a blank cell. */
  #pointsOf(place: string, cell: string): unknown[] | undefined {
    if (cell === '') return undefined;
    try {
      const points: unknown = JSON.parse(cell);
      if (Array.isArray(points)) return points;
    } catch {
      // Reported below.
    }
    this.#errors.push({ place, message: 'The points must be a JSON list, as Export writes it' });
    return undefined;
  }

  #groupOf({ number, title, technology }: Pick<Group, 'number' | 'title' | 'technology'>): Group | undefined {
    if (number !== '') return this.all.find((group) => group.number === number);
    if (title === '') return undefined;
    return this.all.find(
      (group) =>
        group.number === '' && group.title === title && (technology === '' || sameWord(technology, group.technology)),
    );
  }

  #begin(place: string, head: Omit<Group, 'place' | 'pairs'>): Group {
    const group = { ...head, place, pairs: [] };
    this.all.push(group);
    return group;
  }
}
