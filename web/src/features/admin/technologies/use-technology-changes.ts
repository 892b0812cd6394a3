import { errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { useInFlight } from '../use-in-flight.ts';
import { useCreateTechnologyMutation, useUpdateTechnologyMutation } from './technology-changes-api.ts';

/** Adds and renames technologies, one request at a time. Both resolve to whether the server accepted the change. */
export function useTechnologyChanges(refetch: () => Promise<unknown>) {
  const [create] = useCreateTechnologyMutation();
  const [update] = useUpdateTechnologyMutation();
  const [busy, run] = useInFlight();

  const send = async (request: () => Promise<{ error?: unknown }>, done: string, failed: string) => {
    let accepted = false;
    await run(async () => {
      const { error } = await request();
      if (error) {
        toast.error(errorMessage(error, failed));
        return;
      }
      // Reload before the controls are enabled again.
      await refetch();
      toast.success(done);
      accepted = true;
    });
    return accepted;
  };

  return {
    busy,
    add: (name: string) => send(() => create({ name }), messages.technologies.added, fallbacks.createTechnology),
    rename: (id: string, name: string) =>
      send(() => update({ id, name }), messages.technologies.updated, fallbacks.updateTechnology),
  };
}
