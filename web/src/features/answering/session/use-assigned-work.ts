import { skipToken } from '@reduxjs/toolkit/query';
import { useListAssignmentsQuery } from '../../../lib/api/assignments-api.ts';

/** The assignment that the address names, and what a session for it takes along. */
export function useAssignedWork(id: string | null) {
  const { data, isLoading } = useListAssignmentsQuery(id === null ? skipToken : {});
  return {
    assignment: data?.find((one) => one.id === id),
    isLoading,
    plan: id === null ? {} : { assignmentId: id },
  };
}
