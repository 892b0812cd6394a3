import { useEffect } from 'react';
import type { ApiError } from './api/api-error.ts';
import { toast } from './toasts.ts';

/** Shows one toast per failed load. A response without data has its own message. */
export function useFailureToast(error: ApiError | undefined, message: string): void {
  useEffect(() => {
    if (error) toast.error(error.code === 'no_data' ? error.message : message, { id: message });
  }, [error, message]);
}
