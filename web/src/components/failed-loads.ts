import { errorMessage } from '../lib/api/api-error.ts';

/** The fields of a query that failures depend on. */
interface Load {
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

export interface LoadFailed {
  message: string;
  onRetry: () => void;
  retrying: boolean;
}

/**
 * The first failure among several loads, each with its fallback message; its retry reloads all failed ones.
 * Undefined if none failed. A failure persists while it is being retried.
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
