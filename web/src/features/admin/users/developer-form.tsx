import type { PasswordLink } from '@interview-prep/contracts/auth/password-link';
import { NewUser } from '@interview-prep/contracts/auth/user-management';
import { NewDeveloper, Role } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { roleName } from '../../../lib/formats.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { BusyFieldset, FormError } from '../busy-fieldset.tsx';
import { errorWithin, useCheckedForm } from '../use-checked-form.ts';
import { PasswordLinkNotice } from './password-link-notice.tsx';
import { TechnologyChoice } from './technology-choice.tsx';
import { useCreateUserMutation } from './users-api.ts';

export interface Developer {
  email: string;
  name: string;
  role: Role;
  /** Empty for an invitation. */
  password: string;
  /** Slugs. */
  technologies: string[];
}

export const emptyDeveloper: Developer = { email: '', name: '', role: 'dev', password: '', technologies: [] };

interface DeveloperFormProps {
  technologies: readonly Technology[];
  draft: Developer;
  onChange: (draft: Developer) => void;
}

/** A developer needs at least one technology. */
const NewDeveloperWithName = NewUser.extend(NewDeveloper.shape);

/** Adds a user, by default a developer. Source: product specification, sections 2 (Manage Users) and 5 (add developer). */
export function DeveloperForm({ technologies, draft, onChange }: DeveloperFormProps) {
  const [refusal, setRefusal] = useState<string>();
  const [create] = useCreateUserMutation();
  const [invited, setInvited] = useState<{ email: string; passwordLink: PasswordLink } | null>(null);
  // Without a password, the user is invited.
  const { password, ...invitation } = draft;
  const input = password === '' ? invitation : draft;
  const { form, errors, busy, submit, reset } = useCheckedForm(
    draft.role === 'dev' ? NewDeveloperWithName : NewUser,
    input,
  );
  const change = (part: Partial<Developer>) => {
    onChange({ ...draft, ...part });
    setRefusal(undefined);
  };

  const send = async (user: NewUser) => {
    setRefusal(undefined);
    setInvited(null);
    const { data, error } = await create(user);
    if (error) {
      toast.error(messages.users.createFailed);
      const refused = error as ApiError;
      // Field errors are shown at the field.
      if (!refused.details) setRefusal(errorMessage(error, fallbacks.registerUser));
      return refused;
    }
    toast.success(messages.users.created(data.user.email));
    if (data.passwordLink) setInvited({ email: data.user.email, passwordLink: data.passwordLink });
    onChange(emptyDeveloper);
    reset();
  };

  const incomplete = Object.values(errors).includes(messages.users.incomplete);
  /** Missing fields are only marked; one message below the form covers them. */
  const markOf = (message: string | undefined) => (message === messages.users.incomplete ? true : message);
  return (
    <form ref={form} onSubmit={(event) => submit(event, send)} noValidate aria-label="Add user">
      <BusyFieldset busy={busy}>
        <Stack>
          {invited && <PasswordLinkNotice {...invited} />}
          <TextInput
            label="Email"
            type="email"
            required
            withAsterisk={false}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={draft.email}
            error={markOf(errors.email)}
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
          <TextInput
            label="Name"
            description="Optional"
            autoComplete="off"
            value={draft.name}
            error={errors.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <NativeSelect
            size="md"
            label="Role"
            value={draft.role}
            data={Role.options.map((value) => ({ value, label: roleName(value) }))}
            onChange={(event) => change({ role: event.currentTarget.value as Role })}
          />
          <PasswordInput
            label="Password"
            description="Optional, at least 8 characters. Without one, they get a link to set it themselves."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            value={draft.password}
            error={markOf(errors.password)}
            onChange={(event) => change({ password: event.currentTarget.value })}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
          />
          <TechnologyChoice
            technologies={technologies}
            chosen={draft.technologies}
            onChange={(chosen) => change({ technologies: chosen })}
            error={incomplete ? undefined : errorWithin(errors, 'technologies')}
          />
          {(incomplete || refusal) && <FormError>{incomplete ? messages.users.incomplete : refusal}</FormError>}
          <Button type="submit" size="md" loading={busy}>
            Add User
          </Button>
        </Stack>
      </BusyFieldset>
    </form>
  );
}
