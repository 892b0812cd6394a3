import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { ActionIcon, Box, Text, TextInput } from '@mantine/core';
import { IconCheck, IconPencil, IconTrash, IconX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import rows from '../row-list.module.css';
import { IconAction, useFocusBack, useJustEdited } from '../use-deletion.tsx';
import rowClasses from './technologies-screen.module.css';
import { nameToSave } from './technology-name-rules.ts';
import { type TechnologyUse, usedBy } from './technology-use.ts';

interface TechnologyRowProps {
  technology: Technology;
  /** Null until loaded. */
  use: TechnologyUse | null;
  /** Whether another one is being edited. */
  locked: boolean;
  /** Whether its edit has just ended, so that it takes the focus back. */
  justEdited: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

interface TechnologyEditRowProps {
  technology: Technology;
  name: string;
  error: string | undefined;
  onChange: (name: string) => void;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The technology being renamed, and the current input. */
export interface TechnologyEdit {
  technology: Technology;
  name: string;
  error?: string | undefined;
}

interface TechnologyListProps {
  /** The rows of the current page. */
  shown: readonly Technology[];
  /** All technologies: names must be unique. */
  technologies: readonly Technology[];
  edit: TechnologyEdit | null;
  setEdit: (edit: TechnologyEdit | null) => void;
  setsUsing: (technology: Technology) => TechnologyUse | null;
  /** Resolves to whether the server accepted the name. */
  onRename: (technology: Technology, name: string) => Promise<boolean>;
  onDelete: (technology: Technology) => void;
}

/** Technologies as rows, one of which may be in edit mode. */
export function TechnologyList(props: TechnologyListProps) {
  const { shown, technologies, edit, setEdit, setsUsing, onRename, onDelete } = props;
  const [justEdited, setJustEdited] = useJustEdited();

  const endEdit = () => {
    setJustEdited(edit?.technology.id ?? null);
    setEdit(null);
  };
  const save = async ({ technology, name }: TechnologyEdit) => {
    const verdict = nameToSave(name, technology, technologies);
    if (verdict.kind === 'refuse') setEdit({ technology, name, error: verdict.message });
    if (verdict.kind === 'ignore') endEdit();
    if (verdict.kind === 'send' && (await onRename(technology, verdict.name))) endEdit();
  };

  return (
    <ul className={bordered.list} aria-label="Technologies">
      {shown.map((technology) =>
        edit?.technology.id === technology.id ? (
          <TechnologyEditRow
            key={technology.id}
            technology={technology}
            name={edit.name}
            error={edit.error}
            onChange={(name) => setEdit({ technology, name })}
            onConfirm={() => save(edit)}
            onCancel={endEdit}
          />
        ) : (
          <TechnologyRow
            key={technology.id}
            technology={technology}
            use={setsUsing(technology)}
            locked={edit !== null}
            justEdited={justEdited === technology.id}
            onEdit={() => setEdit({ technology, name: technology.name })}
            onDelete={() => onDelete(technology)}
          />
        ),
      )}
    </ul>
  );
}

function TechnologyRow({ technology, use, locked, justEdited, onEdit, onDelete }: TechnologyRowProps) {
  const { name, slug } = technology;
  const words = use && usedBy(use);
  const editButton = useFocusBack(justEdited);
  return (
    <li className={`${rows.row} ${rowClasses.row}`}>
      <Box flex={1} miw={0}>
        <Text fw={550}>{name}</Text>
        <Text size="xs" c="dimmed">
          <Box component="span" ff="monospace">
            {slug}
          </Box>
          {words && ` · ${words}`}
        </Text>
      </Box>
      <IconAction ref={editButton} aria-label={`Edit ${name}`} disabled={locked} onClick={onEdit}>
        <IconPencil size={18} stroke={1.5} aria-hidden />
      </IconAction>
      <IconAction color="red" aria-label={`Delete ${name}`} onClick={onDelete}>
        <IconTrash size={18} stroke={1.5} aria-hidden />
      </IconAction>
    </li>
  );
}

/** A technology in edit mode: Enter confirms, Escape cancels. */
function TechnologyEditRow({ technology, name, error, onChange, onConfirm, onCancel }: TechnologyEditRowProps) {
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
    <li className={`${rows.row} ${rowClasses.row}`}>
      <form className={rowClasses.edit} onSubmit={submit} noValidate>
        <TextInput
          flex={1}
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
