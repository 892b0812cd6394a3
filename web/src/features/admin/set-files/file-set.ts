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
  /** The points of an expert answer; without them an unchanged answer keeps its points. */
  points?: readonly ExpertPoint[] | undefined;
}

/** A set in a file. `technology` is a slug in our exports; other files may have a name. */
export interface FileSet {
  title: string;
  technology: string;
  tags: readonly string[];
  /** Terms that the speech engine should expect. */
  vocabulary: readonly string[];
  /** The code of what is spoken, '' for the server's default. */
  language: string;
  /** '' where the file does not say: a saved set keeps its own. */
  status: string;
  /** Whether interviews ask follow-up questions; undefined where the file does not say. */
  asksFollowUps?: boolean | undefined;
  /** The times of answers in seconds; those that are off are left out. */
  timing: AnswerTiming;
  pairs: readonly FilePair[];
}

/** A set read from a file, with places for error messages: 'Row 7', 'Set 2, question 3'. */
export interface ReadSet extends Omit<FileSet, 'pairs'> {
  place: string;
  pairs: readonly ReadPair[];
}

/** A question as it was read. Its points are checked with the set. */
export interface ReadPair extends Omit<FilePair, 'points'> {
  place: string;
  points?: readonly unknown[] | undefined;
}

/** The sets of a file, and the errors of its format. */
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
  /** The contract of what is sent, and the list in it that holds the answers. */
  schema: z.ZodType<NewInterviewSet | NewPracticeSet>;
  answersField: 'expertAnswers' | 'answers';
  /** The list in it that holds the points of the answers, where there is one. */
  pointsField?: 'expertPoints';
  /** Whether its interviews can ask follow-up questions. */
  canAskFollowUps: boolean;
  /** The times that sets of this kind may have. */
  timing: readonly TimingField[];
}

/** How files of interview sets and of practice sets differ. */
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

/** The times of a set, without those that are off. */
export function timingIn(set: { readonly [Field in TimingField]?: number | null | undefined }): AnswerTiming {
  return Object.fromEntries(timingFieldNames.flatMap((field) => (set[field] == null ? [] : [[field, set[field]]])));
}

/** Saved sets in the form of a file. */
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
