import { type AnswerTiming, type TimingField, timingFieldNames } from '@interview-prep/contracts/catalog/answer-timing';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { type FileError, listCells, readCsv, writeCsv } from '../../../lib/csv.ts';
import { type FileSet, type ReadFile, type ReadSet, setKinds } from './file-set.ts';

/** Accepted headings of each column; comparison ignores case and everything but letters. */
const headings = {
  set: ['set'],
  title: ['title'],
  technology: ['technology'],
  tags: ['tags'],
  vocabulary: ['vocabulary'],
  language: ['language', 'spokenlanguage'],
  status: ['status'],
  followUps: ['followups', 'asksfollowups'],
  thinkingSeconds: ['thinkingseconds', 'thinkingtime'],
  timeLimitSeconds: ['timelimitseconds', 'timelimit'],
  lengthHintSeconds: ['lengthhintseconds', 'suggestedlength'],
  question: ['question'],
  answer: ['expertanswer', 'answer'],
  points: ['points', 'expertpoints'],
} as const;
type Column = keyof typeof headings;
const required = ['title', 'technology', 'question'] as const;

/** Writes sets as CSV, one row per question. The column `set` keeps sets with the same title apart. */
export async function setsToCsv(kind: SessionKind, sets: readonly FileSet[]): Promise<string> {
  const lists = await listCells();
  const { answerColumn, pointsField, canAskFollowUps, timing: times } = setKinds[kind];
  const rows = sets.flatMap(
    ({ title, technology, tags, vocabulary, language, status, asksFollowUps, timing, pairs }, index) => {
      const followUps = canAskFollowUps ? [asksFollowUps ? 'yes' : 'no'] : [];
      const seconds = times.map((field) => timing[field]?.toString() ?? '');
      const head = [
        String(index + 1),
        title,
        technology,
        lists.write(tags),
        lists.write(vocabulary),
        language,
        status,
        ...followUps,
        ...seconds,
      ];
      return pairs.map(({ question, answer, points = [] }) => {
        const pointsCell = pointsField ? [points.length > 0 ? JSON.stringify(points) : ''] : [];
        return [...head, question, answer, ...pointsCell];
      });
    },
  );
  const heads = [
    ...['set', 'title', 'technology', 'tags', 'vocabulary', 'language', 'status'],
    ...(canAskFollowUps ? ['follow-ups'] : []),
    ...times,
    ...['question', answerColumn],
    ...(pointsField ? ['points'] : []),
  ];
  return writeCsv([heads, ...rows]);
}

/**
 * Reads sets from CSV. Rows with the same `set` number form a set, or else rows with the same title and technology. A
 * row without number and title is a set of its own: its blank title is an error.
 */
export async function setsFromCsv(text: string): Promise<ReadFile> {
  const { rows, errors } = await readCsv<Column>(text, headings, required);
  const sets = new SetsOfRows((await listCells()).read, errors);
  for (const { place, cell } of rows) sets.add(place, cell);
  return { sets: sets.all, errors };
}

type Group = ReadSet & { number: string; pairs: ReadSet['pairs'][number][] };

/** Whether a row's list differs from its set's; an empty cell inherits the set's. */
const differs = (list: readonly string[], ofSet: readonly string[]) =>
  list.length > 0 && list.join('\n') !== ofSet.join('\n');

const sameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The times of a row; non-numbers fail the set's validation. */
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
      status: cell('status').toLowerCase(),
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
      head.status !== '' && head.status !== group.status && 'status differs',
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

  /** The points in a cell, validated with the set; undefined for a blank cell. */
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
