import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { type Technology, unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import { failureOf } from '../../../components/load-failure.tsx';
import { countOf } from '../../../lib/formats.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { useListManagedInterviewSetsQuery, useListManagedPracticeSetsQuery } from '../sets/managed-sets-api.ts';

export function useTechnologyUse() {
  const interviewSets = useListManagedInterviewSetsQuery({ answers: false });
  const practiceSets = useListManagedPracticeSetsQuery();
  return {
    /** Null until both kinds of sets have loaded. */
    setsUsing: ({ slug }: Technology): TechnologyUse | null =>
      interviewSets.isSuccess && practiceSets.isSuccess ? countUse(slug, interviewSets.data, practiceSets.data) : null,
    hasNoInterviewSets: interviewSets.data?.length === 0,
    failure: failureOf([interviewSets, fallbacks.fetchInterviewSets], [practiceSets, fallbacks.fetchPracticeSets]),
  };
}

/** A technology's number of sets. */
export interface TechnologyUse {
  interviewSets: number;
  practiceSets: number;
}

function countUse(
  slug: string,
  interviewSets: readonly InterviewSet[],
  practiceSets: readonly PracticeSet[],
): TechnologyUse {
  return {
    interviewSets: interviewSets.filter(({ technologySlug }) => technologySlug === slug).length,
    practiceSets: practiceSets.filter(({ technologySlug }) => technologySlug === slug).length,
  };
}

/** '3 interview sets, 1 practice set'; '' for none. */
export function usedBy({ interviewSets, practiceSets }: TechnologyUse): string {
  return [
    interviewSets > 0 && countOf(interviewSets, 'interview set'),
    practiceSets > 0 && countOf(practiceSets, 'practice set'),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Explains what deleting a technology does to its sets. */
export function deletionInWords(use: TechnologyUse): string {
  const sets = usedBy(use).replace(', ', ' and ');
  if (sets === '') return 'No sets use it. This cannot be undone.';
  const one = use.interviewSets + use.practiceSets === 1;
  return one
    ? `${sets} uses it. It stays and shows “${unknownTechnology}” until you choose another technology for it.`
    : `${sets} use it. They stay and show “${unknownTechnology}” until you choose another technology for them.`;
}
