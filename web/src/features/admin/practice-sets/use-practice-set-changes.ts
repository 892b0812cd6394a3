import type { NewPracticeSet } from '@interview-prep/contracts/sets';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { useCreatePracticeSetMutation, useUpdatePracticeSetMutation } from './practice-set-changes-api.ts';

/** Adds and updates practice sets, with a toast for the outcome. Both resolve to the error if the server refused. */
export function usePracticeSetChanges(refetch: () => Promise<unknown>) {
  const [create] = useCreatePracticeSetMutation();
  const [update] = useUpdatePracticeSetMutation();
  return {
    add: async (body: NewPracticeSet): Promise<ApiError | undefined> => {
      const { error } = await create(body);
      if (error) toast.error(errorMessage(error, fallbacks.createPracticeSet));
      else toast.success(messages.practice.created);
      return error as ApiError | undefined;
    },
    save: async (id: string, body: NewPracticeSet): Promise<ApiError | undefined> => {
      const { error } = await update({ id, ...body });
      if (error) {
        toast.error(errorMessage(error, fallbacks.updatePracticeSet));
        return error as ApiError;
      }
      await refetch();
      toast.success(messages.practice.updated);
    },
  };
}
