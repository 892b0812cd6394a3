import {
  type NewSnippet,
  reviewTextMaxLength,
  type Snippet,
  snippetNameMaxLength,
  snippetsMax,
} from '@interview-prep/contracts/recording/reviews';
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconEdit, IconListDetails, IconTextPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import classes from './review.module.css';
import {
  useAddSnippetMutation,
  useDeleteSnippetMutation,
  useListSnippetsQuery,
  useUpdateSnippetMutation,
} from './reviews-api.ts';

interface SnippetsMenuProps {
  /** Inserts a snippet's text into the last focused field. */
  insert: (text: string) => void;
  /** The field's current text. */
  written: () => string;
}

/** The reviewer's saved remarks; opened with the key S. */
export function SnippetsMenu({ insert, written }: SnippetsMenuProps) {
  const { data: snippets = [] } = useListSnippetsQuery();
  const [editing, setEditing] = useState<'list' | NewSnippet | null>(null);
  const remark = () => written().trim();
  return (
    <>
      <Menu width={280} position="bottom-start" shadow="md">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconTextPlus size={14} aria-hidden />} data-snippets>
            Snippets
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.snippets ?? ''}>
          {snippets.map(({ id, name, text }) => (
            <Menu.Item key={id} title={text} onClick={() => insert(text)}>
              {name}
            </Menu.Item>
          ))}
          {snippets.length === 0 && <Menu.Label>Remarks that you keep here can be used again.</Menu.Label>}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconTextPlus size={16} aria-hidden />}
            disabled={snippets.length >= snippetsMax}
            onClick={() => setEditing({ name: '', text: remark() })}
          >
            New snippet
          </Menu.Item>
          {snippets.length > 0 && (
            <Menu.Item leftSection={<IconListDetails size={16} aria-hidden />} onClick={() => setEditing('list')}>
              Edit snippets
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {editing && <SnippetsDialog snippets={snippets} first={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

interface SnippetsDialogProps {
  snippets: readonly Snippet[];
  /** The initial view: the list, or a new snippet. */
  first: 'list' | NewSnippet;
  onClose: () => void;
}

/** Adds, edits and deletes snippets. */
function SnippetsDialog({ snippets, first, onClose }: SnippetsDialogProps) {
  const [edited, setEdited] = useState<Snippet | NewSnippet | null>(first === 'list' ? null : first);
  const [deleted, setDeleted] = useState<Snippet | null>(null);
  const [remove, removing] = useDeleteSnippetMutation();
  const confirmDelete = async ({ id, name }: Snippet) => {
    const { error } = await remove({ id });
    if (error) toast.error(errorMessage(error, 'Failed to delete the snippet'));
    else toast.success(`“${name}” deleted`);
    setDeleted(null);
    if (!error && snippets.length <= 1) onClose();
  };
  if (deleted) {
    return (
      <ConfirmDialog
        opened
        title={`Delete “${deleted.name}”?`}
        confirmLabel={`Delete “${deleted.name}”`}
        busy={removing.isLoading}
        onConfirm={() => void confirmDelete(deleted)}
        onCancel={() => setDeleted(null)}
      >
        Reviews that you used it in keep their words.
      </ConfirmDialog>
    );
  }
  const title = edited ? ('id' in edited ? 'Edit snippet' : 'New snippet') : 'Snippets';
  return (
    <Modal opened onClose={onClose} title={title}>
      {edited ? (
        <SnippetForm snippet={edited} onDone={() => (first === 'list' ? setEdited(null) : onClose())} />
      ) : (
        <ul className={bordered.list} aria-label="Snippets">
          {snippets.map((snippet) => (
            <li key={snippet.id} className={classes.snippet}>
              <div>
                <Text fw={550}>{snippet.name}</Text>
                <Text size="sm" c="dimmed" lineClamp={2}>
                  {snippet.text}
                </Text>
              </div>
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Edit “${snippet.name}”`}
                  onClick={() => setEdited(snippet)}
                >
                  <IconEdit size={18} stroke={1.5} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={`Delete “${snippet.name}”`}
                  onClick={() => setDeleted(snippet)}
                >
                  <IconTrash size={18} stroke={1.5} aria-hidden />
                </ActionIcon>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function SnippetForm({ snippet, onDone }: { snippet: Snippet | NewSnippet; onDone: () => void }) {
  const [name, setName] = useState(snippet.name);
  const [text, setText] = useState(snippet.text);
  const [add, adding] = useAddSnippetMutation();
  const [update, updating] = useUpdateSnippetMutation();
  const { error, isLoading } = 'id' in snippet ? updating : adding;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const saved = 'id' in snippet ? await update({ id: snippet.id, name, text }) : await add({ name, text });
    if (saved.error) return;
    toast.success(`“${name}” saved`);
    onDone();
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack>
        <TextInput
          label="Name"
          required
          data-autofocus
          maxLength={snippetNameMaxLength}
          value={name}
          error={error && errorMessage(error, 'Failed to save the snippet')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Text"
          required
          autosize
          minRows={3}
          maxLength={reviewTextMaxLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={isLoading} disabled={name.trim() === '' || text.trim() === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
