import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { z } from 'zod';
import type { FileError } from '../../../lib/csv.ts';
import { type FileSet, type ReadFile, type ReadSet, setKinds, timingIn } from './file-set.ts';

/** Writes sets as a JSON list, with each question beside its answer. */
export function setsToJson(kind: SessionKind, sets: readonly FileSet[]): string {
  const { answerField } = setKinds[kind];
  const written = sets.map(
    ({ title, technology, tags, vocabulary, language, status, asksFollowUps, timing, pairs }) => ({
      title,
      technology,
      tags,
      ...(vocabulary.length > 0 ? { vocabulary } : {}),
      ...(language === '' ? {} : { language }),
      ...(status === '' ? {} : { status }),
      ...(asksFollowUps === undefined ? {} : { asksFollowUps }),
      ...timing,
      questions: pairs.map(({ question, answer, points }) => ({
        question,
        [answerField]: answer,
        ...(points && points.length > 0 ? { expertPoints: points } : {}),
      })),
    }),
  );
  return `${JSON.stringify(written, null, 2)}\n`;
}

const text = z.string('must be text');
const texts = z.array(text, 'must be a list of texts');
const seconds = z.number('must be a number of seconds').nullable().optional();
const points = z.array(z.unknown(), 'must be a list of points');
const question = z.union(
  [
    text,
    z.object({
      question: text,
      answer: text.optional(),
      expertAnswer: text.optional(),
      expertPoints: points.optional(),
    }),
  ],
  { error: 'must be a text, or an object with question and answer' },
);

/** A set as exported, or as the API returns it, with parallel lists. */
const WrittenSet = z.object(
  {
    title: text,
    technology: text,
    technologySlug: text.optional(),
    tags: texts.default([]),
    vocabulary: texts.default([]),
    language: text.default(''),
    status: text.default(''),
    asksFollowUps: z.boolean('must be true or false').optional(),
    thinkingSeconds: seconds,
    timeLimitSeconds: seconds,
    lengthHintSeconds: seconds,
    questions: z.array(question, 'must be a list'),
    answers: texts.optional(),
    expertAnswers: texts.optional(),
    expertPoints: z.array(points, 'must be a list of lists of points').optional(),
  },
  'must be an object',
);

/** The list of sets: the document itself, or the list in an API response. */
function listIn(document: unknown): unknown[] | undefined {
  if (Array.isArray(document)) return document;
  if (typeof document !== 'object' || document === null) return undefined;
  const { interviewSets, practiceSets } = document as Record<string, unknown>;
  return [interviewSets, practiceSets].find((list) => Array.isArray(list));
}

/** Reads sets from JSON. Each error names its set and, if it concerns one, its question. */
export function setsFromJson(content: string): ReadFile {
  let document: unknown;
  try {
    document = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { sets: [], errors: [{ place: 'File', message: `The JSON cannot be read: ${(error as Error).message}` }] };
  }
  const list = listIn(document);
  if (!list) return { sets: [], errors: [{ place: 'File', message: 'This JSON contains no list of sets' }] };

  const sets: ReadSet[] = [];
  const errors: FileError[] = [];
  for (const [index, entry] of list.entries()) {
    const place = `Set ${index + 1}`;
    const parsed = WrittenSet.safeParse(entry);
    if (parsed.success) sets.push(readSet(parsed.data, place));
    else errors.push(...parsed.error.issues.map(({ path, message }) => ({ place: placeOf(place, path), message })));
  }
  return { sets, errors };
}

function placeOf(place: string, [field, index]: readonly PropertyKey[]): string {
  if (field === undefined) return place;
  if (field === 'questions' && typeof index === 'number') return `${place}, question ${index + 1}`;
  return `${place}, ${String(field)}`;
}

function readSet(set: z.infer<typeof WrittenSet>, place: string): ReadSet {
  const answers = set.answers ?? set.expertAnswers ?? [];
  return {
    place,
    title: set.title,
    technology: set.technologySlug ?? set.technology,
    tags: set.tags,
    vocabulary: set.vocabulary,
    language: set.language,
    status: set.status,
    asksFollowUps: set.asksFollowUps,
    timing: timingIn(set),
    pairs: set.questions.map((each, index) => ({
      place: `${place}, question ${index + 1}`,
      question: typeof each === 'string' ? each : each.question,
      points: (typeof each === 'string' ? undefined : each.expertPoints) ?? set.expertPoints?.[index],
      answer: (typeof each === 'string' ? undefined : (each.answer ?? each.expertAnswer)) ?? answers[index] ?? '',
    })),
  };
}
