// '2.0 or 3.0?' begins with a version, not with a place in a list.
const listNumber = /^\s*\d+\s*[.)](?!\d)\s*/;
const shownPrefix = /^\s*(?:question\s+\d+\s*[:.)-]|\d+\s*[.)])(?!\d)\s*/i;

/**
 * Questions as an admin types them, one a line: a leading number like '1.' is stripped, blank lines are dropped.
 * Source: product specification, section 2, interview set forms.
 */
export function parseQuestions(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(listNumber, '').trim())
    .filter((line) => line !== '');
}

/** Comma-separated tags: trimmed, empties and doubles dropped. */
export function parseTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

/** A question as the interview detail shows it: a leading 'Question N:' or 'N.' is stripped, unless nothing else is left. */
export function withoutQuestionPrefix(question: string): string {
  return question.replace(shownPrefix, '').trim() || question.trim();
}
