import { useState } from 'react';
import { PasswordField } from './password-field.tsx';
import { newPasswordError, repeatedPasswordError } from './password-rules.ts';

/** The state of a new password, typed twice. `mismatch` is the message if the two differ. */
export function useNewPassword(mismatch: string) {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const errors = {
    password: newPasswordError(password),
    repeated: repeatedPasswordError(password, repeated, mismatch),
  };
  return { password, setPassword, repeated, setRepeated, errors, error: errors.password ?? errors.repeated };
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
