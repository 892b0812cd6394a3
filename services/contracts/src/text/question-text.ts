// '2.0 or 3.0?' starts with a version, not with a list number.
const listNumber = /^\s*\d+\s*[.)](?!\d)\s*/;
const shownPrefix = /^\s*(?:question\s+\d+\s*[:.)-]|\d+\s*[.)])(?!\d)\s*/i;

/**
 * Splits an admin's text into questions, one per line. Strips a leading number like '1.' and drops blank lines.
 * Source: product specification, section 2, interview set forms.
 */
export function parseQuestions(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(listNumber, '').trim())
    .filter((line) => line !== '');
}

/** Splits comma-separated tags: trimmed, without blanks and duplicates. */
export function parseTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

/** Strips a leading 'Question N:' or 'N.' for the interview detail, unless nothing else would be left. */
export function withoutQuestionPrefix(question: string): string {
  return question.replace(shownPrefix, '').trim() || question.trim();
}

/** A key that is equal for questions that differ only in numbering, case, punctuation or spaces. */
export function questionKey(question: string): string {
  return (
    withoutQuestionPrefix(question)
      .normalize('NFKC')
      .toLowerCase()
      // '+' and '#' are kept: C, C++ and C# are three languages.
      .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
      .trim()
  );
}
