import { errorMessage } from '../lib/api/api-error.ts';

/** A query, as far as it can fail. */
interface Load {
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** What a failed load says and offers. */
export interface LoadFailed {
  message: string;
  onRetry: () => void;
  retrying: boolean;
}

/**
 * Of several loads, each with its fallback: what the first that failed says, and the way to try all again that did.
 * Undefined where none failed. What failed stays so while it is being tried again.
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
