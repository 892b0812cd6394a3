import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface PasswordFieldProps extends Pick<PasswordInputProps, 'label' | 'description' | 'error' | 'autoFocus'> {
  name: string;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  onChange: (value: string) => void;
}

/** A password field with a toggle that shows it. */
export function PasswordField({ onChange, ...field }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...field}
      // Mantine marks only the frame around the input.
      aria-invalid={field.error ? true : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
    />
  );
}
