import type { User } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Paper, Title } from '@mantine/core';
import type { RefObject } from 'react';
import { type Developer, DeveloperForm } from './developer-form.tsx';
import { UserAccount } from './user-account.tsx';
import { UserTechnologiesForm } from './user-technologies-form.tsx';
import classes from './users-screen.module.css';

/** The user under edit, with the slugs chosen so far and those chosen before. */
export interface UserEdit {
  user: User;
  previous: string[];
  chosen: string[];
}

interface UserPanelProps {
  panel: RefObject<HTMLElement | null>;
  technologies: readonly Technology[];
  /** The new developer as typed so far. */
  draft: Developer;
  setDraft: (draft: Developer) => void;
  edit: UserEdit | null;
  /** The edited user as they are now. */
  saved: User | undefined;
  /** The admin's own id: their own account is changed elsewhere. */
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
