import type { User } from '@interview-prep/contracts/users';
import { Checkbox } from '@mantine/core';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks } from '../../lib/messages.ts';
import { toast } from '../../lib/toasts.ts';
import { useChooseMailsMutation } from './account-api.ts';

/** Whether the user gets a mail when a person has judged an answer of theirs. Saved at once. */
export function ReviewMailChoice({ user }: { user: User }) {
  const [choose, { isLoading, originalArgs, data = user }] = useChooseMailsMutation();
  const save = async (reviewMail: boolean) => {
    try {
      const { reviewMail: saved = false } = await choose({ reviewMail }).unwrap();
      toast.success(saved ? 'You will get a mail' : 'You will get no mail');
    } catch (error) {
      toast.error(errorMessage(error, fallbacks.updateUser));
    }
  };
  return (
    <Checkbox
      label="Email me when a reviewer scores my answer"
      description="For reviews you requested."
      checked={isLoading ? originalArgs?.reviewMail === true : data.reviewMail === true}
      onChange={(event) => {
        // One change at a time; a disabled box would lose the focus.
        if (!isLoading) void save(event.currentTarget.checked);
      }}
    />
  );
}
