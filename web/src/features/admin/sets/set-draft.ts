import { type AnswerTiming, type TimingField, timingFieldNames } from '@interview-prep/contracts/catalog/answer-timing';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { NewInterviewSet, NewPracticeSet, SetStatus } from '@interview-prep/contracts/catalog/sets';
import type { SpokenLanguage } from '@interview-prep/contracts/catalog/spoken-languages';
import { parseTags } from '@interview-prep/contracts/text/question-text';
import { type AnswerWithPoints, editedPointsOf, expertPointsOf } from './point-draft.ts';

/** A question with its answer. `key` identifies the pair as it moves. */
export interface QuestionPair extends AnswerWithPoints {
  key: string;
  question: string;
}

/**
 * A set's form without its questions. `technology` is a slug or ''; `tags` are separated by commas, `vocabulary` by commas
 * or line breaks; `language` is '' for the server's default. Times are in seconds, '' if turned off.
 */
export interface SetHeadDraft extends Record<TimingField, string> {
  title: string;
  technology: string;
  tags: string;
  vocabulary: string;
  language: SpokenLanguage | '';
  status: SetStatus;
  /** For interview sets only. */
  asksFollowUps: boolean;
}

/** The initial fields of a new set's form. */
export const emptyHead: SetHeadDraft = {
  title: '',
  technology: '',
  tags: '',
  vocabulary: '',
  language: '',
  status: 'published',
  asksFollowUps: false,
  thinkingSeconds: '',
  timeLimitSeconds: '',
  lengthHintSeconds: '',
};

export interface SetDraft extends SetHeadDraft {
  pairs: readonly QuestionPair[];
}

let pairsMade = 0;

/** Creates a pair with a new key. */
export function newPair(question = '', answer = ''): QuestionPair {
  pairsMade += 1;
  return { key: `pair-${pairsMade}`, question, answer };
}

interface SavedSet extends AnswerTiming {
  title: string;
  technologySlug: string;
  tags: readonly string[];
  vocabulary?: readonly string[] | undefined;
  language?: SpokenLanguage | undefined;
  status: SetStatus;
  asksFollowUps?: boolean | undefined;
  questions: readonly string[];
  expertPoints?: readonly (readonly ExpertPoint[])[] | undefined;
}

/** Converts a saved set to a draft, without a technology that no longer exists. */
export function draftOf(
  set: SavedSet,
  answers: readonly string[],
  technologies: readonly { slug: string }[],
): SetDraft {
  return {
    title: set.title,
    technology: technologies.some(({ slug }) => slug === set.technologySlug) ? set.technologySlug : '',
    tags: set.tags.join(', '),
    vocabulary: (set.vocabulary ?? []).join(', '),
    language: set.language ?? '',
    status: set.status,
    asksFollowUps: set.asksFollowUps ?? false,
    thinkingSeconds: set.thinkingSeconds?.toString() ?? '',
    timeLimitSeconds: set.timeLimitSeconds?.toString() ?? '',
    lengthHintSeconds: set.lengthHintSeconds?.toString() ?? '',
    pairs: set.questions.map((question, index) => {
      const answer = answers[index] ?? '';
      return { ...newPair(question, answer), editedPoints: editedPointsOf(answer, set.expertPoints?.[index]) };
    }),
  };
}

const parseVocabulary = (text: string): string[] =>
  [...new Set(text.split(/[,\n]/).map((term) => term.trim()))].filter((term) => term !== '');

const headOf = ({ title, technology, tags, vocabulary, language, status }: SetHeadDraft) => ({
  title,
  technology,
  tags: parseTags(tags),
  vocabulary: parseVocabulary(vocabulary),
  language: language === '' ? null : language,
  status,
});

const timingOf = (head: SetHeadDraft): Partial<Record<TimingField, number | null>> =>
  Object.fromEntries(timingFieldNames.map((field) => [field, head[field].trim() === '' ? null : Number(head[field])]));

/** The request body of an interview set, including points. Expert answers may be ''. */
export function interviewSetBody(head: SetHeadDraft, pairs: readonly Omit<QuestionPair, 'key'>[]): NewInterviewSet {
  return {
    ...headOf(head),
    asksFollowUps: head.asksFollowUps,
    ...timingOf(head),
    questions: pairs.map(({ question }) => question),
    expertAnswers: pairs.map(({ answer }) => answer),
    expertPoints: pairs.map(expertPointsOf),
  };
}

export function practiceSetBody(head: SetHeadDraft, pairs: readonly Omit<QuestionPair, 'key'>[]): NewPracticeSet {
  return {
    ...headOf(head),
    questions: pairs.map(({ question }) => question),
    answers: pairs.map(({ answer }) => answer),
  };
}

/** Whether two drafts are equal, ignoring keys. */
export function sameDraft(one: SetDraft, other: SetDraft): boolean {
  const said = ({ pairs, ...head }: SetDraft) =>
    JSON.stringify([
      ...Object.keys(emptyHead).map((field) => head[field as keyof SetHeadDraft]),
      ...pairs.map((pair) => [pair.question, pair.answer, expertPointsOf(pair)]),
    ]);
  return said(one) === said(other);
}
