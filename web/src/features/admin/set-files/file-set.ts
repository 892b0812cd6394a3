import type { SessionKind } from '@interview-prep/contracts/recordings';
import { type InterviewSet, NewInterviewSet, NewPracticeSet, type PracticeSet } from '@interview-prep/contracts/sets';
import type { z } from 'zod';

/** A question as a file holds it; `answer` is the expert's or the practice answer, '' for none. */
export interface FilePair {
  question: string;
  answer: string;
}

/** A set as a file holds it. `technology` is a slug where we wrote it, a slug or a name where others did. */
export interface FileSet {
  title: string;
  technology: string;
  tags: readonly string[];
  pairs: readonly FilePair[];
}

/** A set as it was read, with the places to name when something is wrong: 'Row 7', 'Set 2, question 3'. */
export interface ReadSet extends FileSet {
  place: string;
  pairs: readonly (FilePair & { place: string })[];
}

/** Something wrong in a file: where, and what. */
export interface FileError {
  place: string;
  message: string;
}

/** What a file holds, and what is wrong with it as a file. */
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
  },
  practice: {
    nouns: ['practice set', 'practice sets'],
    answerColumn: 'answer',
    answerField: 'answer',
    fileName: 'practice-sets',
    schema: NewPracticeSet,
    answersField: 'answers',
  },
};

/** Saved sets as a file holds them. */
export const fileSetsOf = (sets: readonly (InterviewSet | PracticeSet)[]): FileSet[] =>
  sets.map((set) => {
    const answers = 'answers' in set ? set.answers : (set.expertAnswers ?? []);
    return {
      title: set.title,
      technology: set.technologySlug,
      tags: set.tags,
      pairs: set.questions.map((question, index) => ({ question, answer: answers[index] ?? '' })),
    };
  });
