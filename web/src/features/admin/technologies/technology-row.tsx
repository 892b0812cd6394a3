import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { ActionIcon, Text, TextInput } from '@mantine/core';
import { IconCheck, IconPencil, IconTrash, IconX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import rows from '../row-list.module.css';
import { IconAction, useFocusBack } from '../use-focus-back.tsx';
import classes from './technologies-screen.module.css';
import { type TechnologyUse, usedBy } from './technology-use.ts';

interface TechnologyRowProps {
  technology: Technology;
  /** Null until loaded. */
  use: TechnologyUse | null;
  /** Another one is under edit. */
  locked: boolean;
  /** Its edit has just ended: it takes the focus back. */
  justEdited: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

/** A technology with Edit and Delete. */
export function TechnologyRow({ technology, use, locked, justEdited, onEdit, onDelete }: TechnologyRowProps) {
  const { name, slug } = technology;
  const words = use && usedBy(use);
  const editButton = useFocusBack(justEdited);
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.what}>
        <Text fw={550}>{name}</Text>
        <Text size="xs" c="dimmed">
          <span className={classes.slug}>{slug}</span>
          {words && ` · ${words}`}
        </Text>
      </div>
      <IconAction ref={editButton} aria-label={`Edit ${name}`} disabled={locked} onClick={onEdit}>
        <IconPencil size={18} stroke={1.5} aria-hidden />
      </IconAction>
      <IconAction color="red" aria-label={`Delete ${name}`} onClick={onDelete}>
        <IconTrash size={18} stroke={1.5} aria-hidden />
      </IconAction>
    </li>
  );
}

interface TechnologyEditRowProps {
  technology: Technology;
  name: string;
  error: string | undefined;
  onChange: (name: string) => void;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A technology under edit: Enter confirms, Escape cancels. */
export function TechnologyEditRow({ technology, name, error, onChange, onConfirm, onCancel }: TechnologyEditRowProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm();
  };
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel();
  };
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <form className={classes.edit} onSubmit={submit} noValidate>
        <TextInput
          className={classes.name ?? ''}
          size="sm"
          aria-label={`New name for ${technology.name}`}
          ref={input}
          value={name}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={cancelOnEscape}
        />
        <ActionIcon type="submit" size="lg" aria-label="Confirm">
          <IconCheck size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label="Cancel" onClick={onCancel}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </form>
    </li>
  );
}
