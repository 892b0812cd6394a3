import type { InterviewSet } from '@interview-prep/contracts/sets';
import type { LastTaken } from '../../lib/api/last-taken.ts';

type Taken = Readonly<Record<string, Pick<LastTaken, 'average' | 'answeredCount' | 'questionCount'>>>;

/** Within a technology: what was begun, then what is new, then what was taken, the weakest first. */
function rankOf({ _id }: InterviewSet, taken: Taken): number {
  const last = taken[_id];
  if (!last) return 1;
  return last.answeredCount < last.questionCount ? 0 : 2 + (last.average ?? 0);
}

/**
 * The sets in the order in which a person wants them: those of their own technologies first, in the order of these. The
 * order of the others stays.
 */
export function orderSets(sets: readonly InterviewSet[], own: readonly string[], taken: Taken): InterviewSet[] {
  const place = ({ technologySlug }: InterviewSet) =>
    own.includes(technologySlug) ? own.indexOf(technologySlug) : own.length;
  return sets.toSorted((a, b) => {
    const byTechnology = place(a) - place(b);
    if (byTechnology !== 0) return byTechnology;
    return place(a) < own.length ? rankOf(a, taken) - rankOf(b, taken) : 0;
  });
}

/** Whether a set has every word of a search in its title, technology or tags. */
export function matchesSearch({ title, technology, tags }: InterviewSet, search: string): boolean {
  const text = [title, technology, ...tags].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
