/** The part of a detail's address that leads to a question, which counts from 1 there: '#question-2'. */
export function questionHash(questionId: number): string {
  return `#question-${questionId + 1}`;
}

/** The zero-based number of the question that an address leads to; null if it leads to none. */
export function questionOfHash(hash: string): number | null {
  const number = /^#question-([1-9]\d{0,3})$/.exec(hash)?.[1];
  return number === undefined ? null : Number(number) - 1;
}
