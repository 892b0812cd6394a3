import { type AnswerTiming, type TimingField, timingFieldNames } from '@interview-prep/contracts/catalog/answer-timing';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import {
  type InterviewSet,
  NewInterviewSet,
  NewPracticeSet,
  type PracticeSet,
} from '@interview-prep/contracts/catalog/sets';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { z } from 'zod';
import type { FileError } from '../../../lib/csv.ts';

/** A question in a file. `answer` is the expert or practice answer, '' if there is none. */
export interface FilePair {
  question: string;
  answer: string;
  /** The points of an expert answer; if omitted, an unchanged answer keeps its points. */
  points?: readonly ExpertPoint[] | undefined;
}

/** A set in a file. `technology` is a slug in our exports; other files may have a name. */
export interface FileSet {
  title: string;
  technology: string;
  tags: readonly string[];
  /** Terms for the speech engine to expect. */
  vocabulary: readonly string[];
  /** The code of the spoken language, '' for the server's default. */
  language: string;
  /** '' if the file doesn't say: a saved set keeps its own. */
  status: string;
  /** Whether interviews ask follow-up questions; undefined if the file doesn't say. */
  asksFollowUps?: boolean | undefined;
  /** Time limits in seconds; those turned off are omitted. */
  timing: AnswerTiming;
  pairs: readonly FilePair[];
}

/** A set read from a file, with places for error messages: 'Row 7', 'Set 2, question 3'. */
export interface ReadSet extends Omit<FileSet, 'pairs'> {
  place: string;
  pairs: readonly ReadPair[];
}

/** A question as read, before its points are validated with the set. */
export interface ReadPair extends Omit<FilePair, 'points'> {
  place: string;
  points?: readonly unknown[] | undefined;
}

/** The sets of a file, and its format errors. */
export interface ReadFile {
  sets: readonly ReadSet[];
  errors: readonly FileError[];
}

interface SetKind {
  nouns: readonly [one: string, many: string];
  /** The heading of the answers' column, and their name in JSON. */
  answerColumn: string;
  answerField: 'expertAnswer' | 'answer';
  fileName: string;
  /** The request's contract, and the field of the answers in it. */
  schema: z.ZodType<NewInterviewSet | NewPracticeSet>;
  answersField: 'expertAnswers' | 'answers';
  /** The field of the answers' points, if there is one. */
  pointsField?: 'expertPoints';
  canAskFollowUps: boolean;
  /** The time limits that sets of this kind may have. */
  timing: readonly TimingField[];
}

/** The differences between files of interview sets and of practice sets. */
export const setKinds: Record<SessionKind, SetKind> = {
  interview: {
    nouns: ['interview set', 'interview sets'],
    answerColumn: 'expert answer',
    answerField: 'expertAnswer',
    fileName: 'interview-sets',
    schema: NewInterviewSet,
    answersField: 'expertAnswers',
    pointsField: 'expertPoints',
    canAskFollowUps: true,
    timing: timingFieldNames,
  },
  practice: {
    nouns: ['practice set', 'practice sets'],
    answerColumn: 'answer',
    answerField: 'answer',
    fileName: 'practice-sets',
    schema: NewPracticeSet,
    answersField: 'answers',
    canAskFollowUps: false,
    timing: [],
  },
};

/** The time limits of a set, without those turned off. */
export function timingIn(set: { readonly [Field in TimingField]?: number | null | undefined }): AnswerTiming {
  return Object.fromEntries(timingFieldNames.flatMap((field) => (set[field] == null ? [] : [[field, set[field]]])));
}

/** Converts saved sets to the file format. */
export function fileSetsOf(sets: readonly (InterviewSet | PracticeSet)[]): FileSet[] {
  return sets.map((set) => {
    const answers = 'answers' in set ? set.answers : (set.expertAnswers ?? []);
    const points = 'expertPoints' in set ? set.expertPoints : undefined;
    return {
      title: set.title,
      technology: set.technologySlug,
      tags: set.tags,
      vocabulary: set.vocabulary ?? [],
      language: set.language ?? '',
      status: set.status,
      ...('answers' in set ? {} : { asksFollowUps: set.asksFollowUps ?? false }),
      timing: 'answers' in set ? {} : timingIn(set),
      pairs: set.questions.map((question, index) => ({
        question,
        answer: answers[index] ?? '',
        points: points?.[index],
      })),
    };
  });
}
