/** A number with its noun: '1 question', '12 questions'. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
