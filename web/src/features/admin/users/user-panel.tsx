import { type User, UserTechnologies } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, Paper, Stack, TextInput, Title } from '@mantine/core';
import type { RefObject } from 'react';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { BusyFieldset, FormActions } from '../busy-fieldset.tsx';
import { errorWithin, useCheckedForm } from '../use-checked-form.ts';
import { type Developer, DeveloperForm } from './developer-form.tsx';
import { TechnologyChoice } from './technology-choice.tsx';
import { UserAccount } from './user-account.tsx';
import { useUpdateUserTechnologiesMutation } from './users-api.ts';
import classes from './users-screen.module.css';

interface UserTechnologiesFormProps {
  user: User;
  technologies: readonly Technology[];
  /** Slugs. */
  chosen: string[];
  onChange: (chosen: string[]) => void;
  /** Called on save or cancel. */
  onEnd: () => void;
}

/** The user being edited, with the current and original slugs. */
export interface UserEdit {
  user: User;
  previous: string[];
  chosen: string[];
}

interface UserPanelProps {
  panel: RefObject<HTMLElement | null>;
  technologies: readonly Technology[];
  draft: Developer;
  setDraft: (draft: Developer) => void;
  edit: UserEdit | null;
  /** The edited user's current data. */
  saved: User | undefined;
  /** The admin's own id: admins change their own account elsewhere. */
  ownId: string | undefined;
  setEdit: (edit: UserEdit) => void;
  onEndEdit: () => void;
}

/** The form beside the list: adds a developer user, or edits a user's technologies. */
export function UserPanel({
  panel,
  technologies,
  draft,
  setDraft,
  edit,
  saved,
  ownId,
  setEdit,
  onEndEdit,
}: UserPanelProps) {
  return (
    <Paper
      withBorder
      bg="var(--surface)"
      component="section"
      p={20}
      className={classes.panel}
      data-editing={edit ? true : undefined}
      ref={panel}
      tabIndex={-1}
    >
      <Title order={2} size="h3" mb="md">
        {edit ? 'Edit user' : 'Add a user'}
      </Title>
      {edit ? (
        <>
          <UserTechnologiesForm
            key={edit.user.id}
            user={edit.user}
            technologies={technologies}
            chosen={edit.chosen}
            onChange={(chosen) => setEdit({ ...edit, chosen })}
            onEnd={onEndEdit}
          />
          {edit.user.id !== ownId && <UserAccount key={`account ${edit.user.id}`} user={saved ?? edit.user} />}
        </>
      ) : (
        <DeveloperForm technologies={technologies} draft={draft} onChange={setDraft} />
      )}
    </Paper>
  );
}

/** The form's edit mode: email locked, password hidden, only the technologies change. */
function UserTechnologiesForm({ user, technologies, chosen, onChange, onEnd }: UserTechnologiesFormProps) {
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
