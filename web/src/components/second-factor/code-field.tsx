import { TextInput } from '@mantine/core';

interface CodeFieldProps {
  label: string;
  description?: string;
  /** Only digits: phones show the number pad. */
  digits?: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

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
