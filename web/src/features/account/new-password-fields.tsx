import { limits } from '@interview-prep/contracts/api/limits';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { messages } from '../../lib/messages.ts';

interface PasswordFieldProps extends Pick<PasswordInputProps, 'label' | 'description' | 'error' | 'autoFocus'> {
  name: string;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
}

export function PasswordField({ onChange, ...field }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...field}
      // Mantine only marks the wrapper of the input as invalid.
      aria-invalid={field.error ? true : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
    />
  );
}

/** Why a new password is invalid; undefined if it is valid. Source: product specification, section 5. */
function newPasswordError(password: string): string | undefined {
  if (password.length < limits.passwordMinLength) return messages.password.tooShort;
  if (password.length > limits.passwordMaxLength) return messages.password.tooLong;
  return undefined;
}

/** A new password and its confirmation. `mismatch` is the message if the two differ. */
export function useNewPassword(mismatch: string) {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [refused, setRefused] = useState<{ password: string; message: string } | null>(null);
  /** Keeps the server's reason for rejecting this password. @returns false if the error is about something else */
  const refuse = (error: unknown, field: string) => {
    const message = (error as ApiError | undefined)?.details?.find(({ path }) => path === field)?.message;
    setRefused(message === undefined ? null : { password, message });
    return message !== undefined;
  };
  const errors = {
    password: newPasswordError(password) ?? (refused?.password === password ? refused.message : undefined),
    repeated: password === repeated ? undefined : mismatch,
  };
  const error = errors.password ?? errors.repeated;
  return { password, setPassword, repeated, setRepeated, refuse, isRefused: refused !== null, errors, error };
}

interface NewPasswordFieldsProps {
  typed: ReturnType<typeof useNewPassword>;
  /** Whether errors are shown: from the first attempt on. */
  checked: boolean;
  description?: string;
}

export function NewPasswordFields({ typed, checked, description }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label="New Password"
        name="password"
        description={description}
        autoComplete="new-password"
        value={typed.password}
        error={checked && typed.errors.password}
        onChange={typed.setPassword}
      />
      <PasswordField
        label="Confirm New Password"
        name="repeated"
        autoComplete="new-password"
        value={typed.repeated}
        error={checked && typed.errors.repeated}
        onChange={typed.setRepeated}
      />
    </>
  );
}
