import { type User, UserTechnologies } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, Stack, TextInput } from '@mantine/core';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { BusyFieldset, FormActions } from '../busy-fieldset.tsx';
import { errorWithin, useCheckedForm } from '../use-checked-form.ts';
import { TechnologyChoice } from './technology-choice.tsx';
import classes from './user-technologies-form.module.css';
import { useUpdateUserTechnologiesMutation } from './users-api.ts';

interface UserTechnologiesFormProps {
  user: User;
  technologies: readonly Technology[];
  /** Slugs. */
  chosen: string[];
  onChange: (chosen: string[]) => void;
  /** Saved or cancelled. */
  onEnd: () => void;
}

/** The form's edit mode: the email is locked, the password hidden, only the technologies change. */
export function UserTechnologiesForm({ user, technologies, chosen, onChange, onEnd }: UserTechnologiesFormProps) {
  const [update] = useUpdateUserTechnologiesMutation();
  const { form, errors, busy, submit } = useCheckedForm(UserTechnologies, { technologies: chosen });

  const conflict = useEditConflict(async () => onEnd());
  const send = async (body: { technologies: string[] }, version = user.version) => {
    const { error } = await update({ id: user.id, ...body, version });
    if (conflict.caught(error, (newer) => send(body, newer))) return;
    if (error) {
      toast.error(errorMessage(error, messages.users.updateFailed));
      return error as ApiError;
    }
    toast.success(messages.users.updated(user.email));
    onEnd();
  };

  return (
    <form
      ref={form}
      onSubmit={(event) => submit(event, (body) => send(body))}
      noValidate
      aria-label={`Edit ${user.email}`}
    >
      {conflict.dialog}
      <BusyFieldset busy={busy}>
        <Stack>
          <TextInput label="Email" value={user.email} disabled classNames={{ input: classes.locked ?? '' }} />
          <TechnologyChoice
            technologies={technologies}
            chosen={chosen}
            onChange={onChange}
            error={errorWithin(errors, 'technologies')}
          />
          <FormActions>
            <Button type="submit" size="md" loading={busy}>
              Update User
            </Button>
            <Button variant="default" size="md" onClick={onEnd}>
              Cancel
            </Button>
          </FormActions>
        </Stack>
      </BusyFieldset>
    </form>
  );
}
