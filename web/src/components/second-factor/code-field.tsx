import { TextInput } from '@mantine/core';

interface CodeFieldProps {
  label: string;
  description?: string;
  /** Six digits only: phones show their number pad. */
  digits?: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A field for a code of an authenticator app, or a recovery code. */
export function CodeField({ label, description, digits = false, value, error, onChange }: CodeFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      name="code"
      autoComplete="one-time-code"
      inputMode={digits ? 'numeric' : 'text'}
      autoCapitalize="none"
      spellCheck={false}
      data-autofocus
      autoFocus
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
