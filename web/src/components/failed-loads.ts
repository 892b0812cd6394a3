import { errorMessage } from '../lib/api/api-error.ts';

/** The part of a query that concerns failures. */
interface Load {
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** The message of a failed load, and how to retry it. */
export interface LoadFailed {
  message: string;
  onRetry: () => void;
  retrying: boolean;
}

/**
 * The first failure among several loads, each given with its fallback message; retrying reloads all that failed.
 * Undefined if none failed. A failure stays while it is being retried.
 */
export function failureOf(...loads: readonly (readonly [load: Load, fallback: string])[]): LoadFailed | undefined {
  const failed = loads.filter(([{ error }]) => error !== undefined);
  const [first] = failed;
  if (!first) return undefined;
  const [{ error }, fallback] = first;
  return {
    message: errorMessage(error, fallback),
    onRetry: () => {
      for (const [{ refetch }] of failed) refetch();
    },
    retrying: failed.some(([{ isFetching }]) => isFetching),
  };
}
