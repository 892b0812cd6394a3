import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface PasswordFieldProps extends Pick<PasswordInputProps, 'label' | 'description' | 'error' | 'autoFocus'> {
  name: string;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
}

/** A password, hidden until its reader wants to see it. */
export function PasswordField({ onChange, ...field }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...field}
      // The kit marks the frame around the input only.
      aria-invalid={field.error ? true : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
    />
  );
}
