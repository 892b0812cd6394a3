import type { Known, ReadySet } from './check-sets.ts';

/**
 * Finds the new set that an earlier try has saved although its answer was lost. Each is found once.
 * @param created the sets that the catalog has now and had not when the file was checked; the found one is removed
 */
export function takeCreatedBefore({ body, technology }: ReadySet, created: Known['sets'][number][]): boolean {
  const at = created.findIndex(
    (set) =>
      set.title === body.title &&
      set.technologySlug === technology.slug &&
      set.questions.length === body.questions.length &&
      set.questions.every((question, index) => question === body.questions[index]),
  );
  if (at >= 0) created.splice(at, 1);
  return at >= 0;
}
