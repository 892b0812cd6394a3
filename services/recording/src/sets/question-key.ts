import { withoutQuestionPrefix } from '@interview-prep/contracts/question-text';

/** A question reduced to what makes it the same question: no numbering, case, punctuation or spacing. */
export const questionKey = (question: string): string =>
  withoutQuestionPrefix(question)
    .normalize('NFKC')
    .toLowerCase()
    // '+' and '#' tell C, C++ and C# apart.
    .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
    .trim();
