import { errorMessage } from '../../lib/api/api-error.ts';
import { toast } from '../../lib/toasts.ts';
import { type Confirmation, useConfirm } from './use-confirm.ts';
import { useInFlight } from './use-in-flight.ts';

interface DeletionOptions<T> {
  remove: (item: T) => Promise<{ error?: unknown }>;
  /** Loads the list again. */
  refetch: () => Promise<unknown>;
  /** The success toast, and the error toast if the server gives no message. */
  done: string;
  failed: string;
  /** Runs after a successful deletion, when the dialog is closed. */
  onDeleted: (item: T) => void;
}

/** A deletion that asks first. */
export interface Deletion<T> extends Confirmation<T> {
  busy: boolean;
  confirm: () => void;
}

/** Asks before deleting an item of a list, deletes it, and shows the outcome as a toast. */
export function useDeletion<T>({ remove, refetch, done, failed, onDeleted }: DeletionOptions<T>): Deletion<T> {
  const confirmation = useConfirm<T>();
  const [busy, run] = useInFlight();

  const confirm = () =>
    run(async () => {
      const item = confirmation.about;
      if (item === null) return;
      const { error } = await remove(item);
      // Reload first: the dialog must not return the focus to a row that is about to disappear.
      if (!error) await refetch();
      confirmation.close();
      if (error) {
        toast.error(errorMessage(error, failed));
        return;
      }
      toast.success(done);
      onDeleted(item);
    });

  return { ...confirmation, busy, confirm: () => void confirm() };
}
