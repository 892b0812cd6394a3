import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import bordered from '../../../components/bordered-list.module.css';
import { CopyField } from '../../../components/copy-text-button.tsx';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { FormDialog } from '../form-dialog.tsx';
import { ListSkeleton } from '../list-skeleton.tsx';
import { type FieldErrors, useCheckedForm } from '../use-checked-form.ts';

interface NewSecretDialogProps<Body> {
  title: string;
  schema: z.ZodType<Body>;
  typed: unknown;
  create: (checked: Body) => Promise<{ data?: { secret: string } | undefined; error?: unknown }>;
  /** The fallback message, if the server sends none. */
  failed: string;
  submitLabel: string;
  secretLabel: string;
  /** Explains what the secret is for. */
  usage: ReactNode;
  fields: (errors: FieldErrors) => ReactNode;
  onClose: () => void;
}

/** Creates an item that has a secret and shows the secret once, since the server won't return it again. */
export function NewSecretDialog<Body>(props: NewSecretDialogProps<Body>) {
  const { title, schema, typed, create, failed, submitLabel, secretLabel, usage, fields, onClose } = props;
  const form = useCheckedForm(schema, typed);
  const [secret, setSecret] = useState<string>();
  const send = async (checked: Body) => {
    const { data, error } = await create(checked);
    setSecret(data?.secret);
    return error as ApiError | undefined;
  };
  const outcome = secret !== undefined && (
    <Stack>
      <Alert icon={<IconKey aria-hidden />} title="Copy it now. You won't be able to see it again.">
        <CopyField text={secret} label={secretLabel} />
      </Alert>
      <Text size="sm">{usage}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
  return (
    <FormDialog {...{ title, form, send, failed, submitLabel, onClose }} outcome={outcome || undefined}>
      {fields(form.errors)}
    </FormDialog>
  );
}

interface IntegrationSectionProps<T> {
  id: string;
  title: string;
  /** The title as it reads in a sentence. */
  name: string;
  newLabel: string;
  icon: ReactNode;
  /** Explains these items while the list is empty. */
  purpose: ReactNode;
  query: { data?: T[] | undefined; error?: unknown; isFetching: boolean; refetch: () => unknown };
  row: (item: T) => ReactNode;
  newDialog: (onClose: () => void) => ReactNode;
  /** Additional dialogs. */
  children: ReactNode;
}

/** A list of items that other systems use, with a button that adds one. */
export function IntegrationSection<T>(props: IntegrationSectionProps<T>) {
  const { id, title, name, newLabel, icon, purpose, query, row, newDialog, children } = props;
  const [creating, setCreating] = useState(false);
  const failure = failureOf([query, `Failed to fetch the ${name}`]);
  const { data } = query;
  const button = (
    <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {newLabel}
    </Button>
  );
  return (
    <Stack component="section" gap="sm" aria-labelledby={id}>
      <Group justify="space-between">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {data && data.length > 0 && button}
      </Group>
      {failure && <PartFailure {...failure} />}
      {!data && !failure && <ListSkeleton label={`Loading ${name}…`} />}
      {data?.length === 0 && (
        <Notice icon={icon} title={`No ${name}`} action={button}>
          {purpose}
        </Notice>
      )}
      {data && data.length > 0 && (
        <ul className={bordered.list} aria-label={title}>
          {data.map(row)}
        </ul>
      )}
      {creating && newDialog(() => setCreating(false))}
      {children}
    </Stack>
  );
}
