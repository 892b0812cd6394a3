import { useEffect } from 'react';
import type { ApiError } from './api/api-error.ts';
import { toast } from './toasts.ts';

/** Says once per failure that something could not be loaded; an answer without data has its own words. */
export function useFailureToast(error: ApiError | undefined, message: string): void {
  useEffect(() => {
    if (error) toast.error(error.code === 'no_data' ? error.message : message, { id: message });
  }, [error, message]);
}
