import { withoutQuestionPrefix } from '@interview-prep/contracts/question-text';

/** Equal for two questions that differ only in numbering, case, punctuation or spaces. */
export function questionKey(question: string): string {
  return (
    withoutQuestionPrefix(question)
      .normalize('NFKC')
      .toLowerCase()
      // '+' and '#' stay: C, C++ and C# are three languages.
      .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
      .trim()
  );
}
