import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useState } from 'react';
import classes from './technologies-screen.module.css';
import { nameToAdd } from './technology-name-rules.ts';

interface AddTechnologyFormProps {
  field: RefObject<HTMLInputElement | null>;
  name: string;
  onChange: (name: string) => void;
  technologies: readonly Technology[];
  /** Resolves to whether the server accepted the name. */
  onAdd: (name: string) => Promise<boolean>;
}

export function AddTechnologyForm({ field, name, onChange, technologies, onAdd }: AddTechnologyFormProps) {
  const [error, setError] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const verdict = nameToAdd(name, technologies);
    setError(verdict.kind === 'refuse' ? verdict.message : undefined);
    if (verdict.kind !== 'send') return;
    if (await onAdd(verdict.name)) onChange('');
    field.current?.focus();
  };

  return (
    <form className={classes.add} onSubmit={submit} noValidate>
      <TextInput
        ref={field}
        flex={1}
        aria-label="Technology name"
        placeholder="For example, React"
        autoComplete="off"
        value={name}
        error={error}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <Button type="submit" size="md">
        Add
      </Button>
    </form>
  );
}
