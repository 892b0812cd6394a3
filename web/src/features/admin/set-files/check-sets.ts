import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { NewInterviewSet, NewPracticeSet } from '@interview-prep/contracts/sets';
import type { Technology } from '@interview-prep/contracts/technologies';
import { type FileError, type ReadFile, type ReadSet, setKinds } from './file-set.ts';

/** A valid set, ready to save. */
export interface ReadySet {
  /** Unique within the file. */
  place: string;
  body: NewInterviewSet | NewPracticeSet;
  technology: Technology;
  /** A saved set already has the same title and technology. */
  twin: boolean;
}

export interface CheckedFile {
  sets: readonly ReadySet[];
  errors: readonly FileError[];
}

interface Known {
  technologies: readonly Technology[];
  sets: readonly { title: string; technologySlug: string }[];
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Checks a file's sets against the contract of their kind, and reports every error. */
export function checkSets(kind: SessionKind, { sets, errors }: ReadFile, known: Known): CheckedFile {
  const found: FileError[] = [...errors];
  const ready: ReadySet[] = [];
  for (const set of sets) {
    const technology = technologyOf(set.technology, known.technologies);
    if (!technology) found.push({ place: set.place, message: unknownMessage(set.technology) });
    // A placeholder for an unknown technology lets the set's other errors show too.
    const parsed = setKinds[kind].schema.safeParse(bodyOf(kind, set, technology?.slug ?? 'unknown'));
    if (!parsed.success) found.push(...parsed.error.issues.map((issue) => fileErrorOf(kind, set, issue)));
    else if (technology) {
      const twin = known.sets.some(
        (saved) => same(saved.title, parsed.data.title) && saved.technologySlug === technology.slug,
      );
      ready.push({ place: set.place, body: parsed.data, technology, twin });
    }
  }
  if (sets.length === 0 && errors.length === 0) found.push({ place: 'File', message: 'This file contains no sets' });
  return { sets: ready, errors: inOrder(found) };
}

/** Errors in the order of the file: those of the whole file first, then by the numbers of their places. */
const inOrder = (errors: readonly FileError[]): FileError[] =>
  errors.toSorted((a, b) => compareNumbers(numbersOf(a.place), numbersOf(b.place)));

const numbersOf = (place: string): number[] => (place.match(/\d+/g) ?? []).map(Number);

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const technologyOf = (written: string, technologies: readonly Technology[]): Technology | undefined =>
  technologies.find(({ slug }) => slug === written.trim()) ??
  technologies.find(({ name, slug }) => same(name, written) || same(slug, written));

const unknownMessage = (written: string) =>
  written.trim() === '' ? 'Technology is required' : `Unknown technology “${written.trim()}”. Add it first.`;

function bodyOf(kind: SessionKind, { title, tags, vocabulary, language, pairs }: ReadSet, technology: string) {
  const { answersField, pointsField } = setKinds[kind];
  const pointed = pointsField !== undefined && pairs.some(({ points }) => points !== undefined);
  return {
    title,
    technology,
    tags: [...tags],
    ...(vocabulary.length > 0 ? { vocabulary: [...vocabulary] } : {}),
    ...(language === '' ? {} : { language }),
    questions: pairs.map(({ question }) => question),
    [answersField]: pairs.map(({ answer }) => answer),
    ...(pointed ? { [pointsField]: pairs.map(({ points }) => points ?? []) } : {}),
  };
}

function fileErrorOf(
  kind: SessionKind,
  set: ReadSet,
  issue: { path: readonly PropertyKey[]; message: string },
): FileError {
  const [field, index] = issue.path;
  const { answersField, pointsField } = setKinds[kind];
  const ofPair = ['questions', answersField, pointsField].includes(field as string);
  const pair = ofPair && typeof index === 'number' ? set.pairs[index] : undefined;
  return { place: pair?.place ?? set.place, message: issue.message };
}
