import type { Technology } from '@interview-prep/contracts/technologies';
import { failureOf } from '../../../components/failed-loads.ts';
import { useListInterviewSetsQuery, useListPracticeSetsQuery } from '../../../lib/api/sets-api.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { countUse, type TechnologyUse } from './technology-use.ts';

/** Which sets use which technology. */
export function useTechnologyUse() {
  const interviewSets = useListInterviewSetsQuery();
  const practiceSets = useListPracticeSetsQuery();
  return {
    /** Null until both kinds of sets are loaded. */
    setsUsing: ({ slug }: Technology): TechnologyUse | null =>
      interviewSets.isSuccess && practiceSets.isSuccess ? countUse(slug, interviewSets.data, practiceSets.data) : null,
    hasNoInterviewSets: interviewSets.data?.length === 0,
    failure: failureOf([interviewSets, fallbacks.fetchInterviewSets], [practiceSets, fallbacks.fetchPracticeSets]),
  };
}
