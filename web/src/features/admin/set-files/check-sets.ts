import type {
  InterviewSet,
  NewInterviewSet,
  NewPracticeSet,
  PracticeSet,
} from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { FileError } from '../../../lib/csv.ts';
import { countOf } from '../../../lib/formats.ts';
import { type ReadFile, type ReadSet, setKinds } from './file-set.ts';

/**
 * The content that replaces a saved set. Anything blank in the file keeps its value: tags, and the expert answer of a
 * question with the same text. The API does the same for points, vocabulary and language if they are omitted.
 */
function fillFromSaved<Body extends NewInterviewSet | NewPracticeSet>(
  body: Body,
  saved: InterviewSet | PracticeSet,
): Body {
  const tags = body.tags.length > 0 ? body.tags : saved.tags;
  if (!('expertAnswers' in body) || body.expertAnswers === undefined) return { ...body, tags };
  const answers = 'expertAnswers' in saved ? saved.expertAnswers : undefined;
  const answerOf = new Map(saved.questions.map((question, index) => [question, answers?.[index] ?? '']));
  const expertAnswers = body.expertAnswers.map(
    (answer, index) => answer || (answerOf.get(body.questions[index] ?? '') ?? ''),
  );
  return { ...body, tags, expertAnswers };
}

/** Summarizes the changes to a saved set: '2 questions added, 1 removed, 1 answer changed'. */
function describeChanges(body: NewInterviewSet | NewPracticeSet, saved: InterviewSet | PracticeSet): string {
  const before = new Map(
    saved.questions.map((question, index) => [
      question,
      {
        answer: 'answers' in saved ? saved.answers[index] : saved.expertAnswers?.[index],
        points: 'answers' in saved ? [] : (saved.expertPoints?.[index] ?? []),
      },
    ]),
  );
  const answers = 'answers' in body ? body.answers : (body.expertAnswers ?? []);
  const points = 'answers' in body ? [] : (body.expertPoints ?? []);
  const kept = body.questions.flatMap((question, index) => {
    const old = before.get(question);
    return old ? [{ old, answer: answers[index] ?? '', points: points[index] ?? [] }] : [];
  });
  const added = body.questions.length - kept.length;
  const removed = saved.questions.filter((question) => !body.questions.includes(question)).length;
  const answersChanged = kept.filter(({ old, answer }) => answer !== (old.answer ?? '')).length;
  const pointsChanged = kept.filter(
    (pair) => pair.points.length > 0 && JSON.stringify(pair.points) !== JSON.stringify(pair.old.points),
  ).length;
  const changes = [
    body.status !== undefined && body.status !== saved.status && `status ${saved.status} → ${body.status}`,
    added > 0 && `${countOf(added, 'question')} added`,
    removed > 0 && `${countOf(removed, 'question')} removed`,
    answersChanged > 0 && `${countOf(answersChanged, 'answer')} changed`,
    pointsChanged > 0 && `points of ${countOf(pointsChanged, 'question')} changed`,
  ];
  return changes.filter(Boolean).join(', ') || 'Questions, answers and points stay the same';
}

/** A valid set, ready to save. */
export interface ReadySet {
  /** Unique within the file. */
  place: string;
  body: NewInterviewSet | NewPracticeSet;
  technology: Technology;
  /** The id of the saved set with the same title and technology, which this one can replace. */
  replaces: string | undefined;
  /** The version of that set that was compared. */
  version?: string | undefined;
  changes?: string;
}

export interface CheckedFile {
  sets: readonly ReadySet[];
  errors: readonly FileError[];
}

/** The existing data. */
export interface Known {
  technologies: readonly Technology[];
  sets: readonly (InterviewSet | PracticeSet)[];
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Checks a file's sets against the contract of their kind and reports all errors. */
export function checkSets(kind: SessionKind, { sets, errors }: ReadFile, known: Known): CheckedFile {
  const found: FileError[] = [...errors];
  const ready: ReadySet[] = [];
  // Titles may repeat: each saved set is replaced once, in list order.
  const replaceable = [...known.sets];
  for (const set of sets) {
    const technology = technologyOf(set.technology, known.technologies);
    // A placeholder for an unknown technology reveals the set's other errors too.
    const parsed = setKinds[kind].schema.safeParse(bodyOf(kind, set, technology?.slug ?? 'unknown'));
    if (!parsed.success) found.push(...parsed.error.issues.map((issue) => fileErrorOf(kind, set, issue)));
    if (!technology) found.push({ place: set.place, message: unknownMessage(set.technology) });
    if (parsed.success && technology) {
      const at = replaceable.findIndex(
        ({ title, technologySlug }) => same(title, parsed.data.title) && technologySlug === technology.slug,
      );
      const [saved] = at < 0 ? [] : replaceable.splice(at, 1);
      const body = saved ? fillFromSaved(parsed.data, saved) : parsed.data;
      const compared = saved ? { changes: describeChanges(body, saved), version: saved.version } : {};
      ready.push({ place: set.place, body, technology, replaces: saved?._id, ...compared });
    }
  }
  if (sets.length === 0 && errors.length === 0) found.push({ place: 'File', message: 'This file contains no sets' });
  return { sets: ready, errors: inOrder(found) };
}

/** Sorts errors in file order: those of the whole file first, then by the numbers in their places. */
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

function bodyOf(
  kind: SessionKind,
  { title, tags, vocabulary, language, status, asksFollowUps, timing, pairs }: ReadSet,
  technology: string,
) {
  const { answersField, pointsField, canAskFollowUps } = setKinds[kind];
  const pointed = pointsField !== undefined && pairs.some(({ points }) => points !== undefined);
  return {
    title,
    technology,
    tags: [...tags],
    ...(vocabulary.length > 0 ? { vocabulary: [...vocabulary] } : {}),
    ...(language === '' ? {} : { language }),
    ...(status === '' ? {} : { status }),
    ...(canAskFollowUps && asksFollowUps !== undefined ? { asksFollowUps } : {}),
    ...timing,
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
