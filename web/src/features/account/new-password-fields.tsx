import { useState } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { PasswordField } from './password-field.tsx';
import { newPasswordError, repeatedPasswordError } from './password-rules.ts';

/** The state of a new password, typed twice. `mismatch` is the message if the two differ. */
export function useNewPassword(mismatch: string) {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [refused, setRefused] = useState<{ password: string; message: string } | null>(null);
  /** Keeps the server's reason for refusing this very password. @returns false where it refused something else */
  const refuse = (error: unknown, field: string) => {
    const message = (error as ApiError | undefined)?.details?.find(({ path }) => path === field)?.message;
    setRefused(message === undefined ? null : { password, message });
    return message !== undefined;
  };
  const errors = {
    password: newPasswordError(password) ?? (refused?.password === password ? refused.message : undefined),
    repeated: repeatedPasswordError(password, repeated, mismatch),
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

/** The two fields of a new password. */
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
