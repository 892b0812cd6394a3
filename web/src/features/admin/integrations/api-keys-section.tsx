import { ApiScope, scopeNames } from '@interview-prep/contracts/api/scopes';
import { type ApiKey, apiKeyRoutes } from '@interview-prep/contracts/auth/api-keys';
import {
  Anchor,
  Badge,
  Button,
  Checkbox,
  Modal,
  NativeSelect,
  Group as Row,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf } from '../../../components/failed-loads.ts';
import { Notice } from '../../../components/notice.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { detailDate, exactTime, timeAgo } from '../../../lib/formats.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { FormError } from '../busy-fieldset.tsx';
import { ListSkeleton } from '../list-skeleton.tsx';
import rows from '../row-list.module.css';
import { errorWithin, useCheckedForm } from '../use-checked-form.ts';
import { useConfirm } from '../use-deletion.tsx';
import { IconAction } from '../use-focus-back.tsx';
import { useApiKeysQuery, useCreateApiKeyMutation, useRevokeApiKeyMutation } from './integrations-api.ts';
import classes from './integrations-screen.module.css';
import { ShownOnce } from './shown-once.tsx';

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'One year' },
];
const NewApiKey = apiKeyRoutes.createApiKey.body;

/** Asks what a new key is for, and shows it once. */
function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [create] = useCreateApiKeyMutation();
  const [typed, setTyped] = useState({ name: '', scopes: [] as string[], days: '90' });
  const [refusal, setRefusal] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const body = { ...typed, days: Number(typed.days) };
  const { form, errors, busy, submit } = useCheckedForm(NewApiKey, body);
  return (
    <Modal opened onClose={onClose} title="New API key" closeButtonProps={{ 'aria-label': 'Close' }}>
      {secret ? (
        <Stack>
          <ShownOnce label="API key" secret={secret} />
          <Text size="sm">
            Send it as a bearer token: <code>Authorization: Bearer ipp_…</code>
          </Text>
          <Row justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Row>
        </Stack>
      ) : (
        <form
          ref={form}
          noValidate
          onSubmit={(event) =>
            submit(event, async (checked) => {
              const { data, error } = await create(checked);
              if (data) setSecret(data.secret);
              else setRefusal(errorMessage(error, 'Failed to create the key'));
              return error as ApiError | undefined;
            })
          }
        >
          <Stack>
            {refusal && <FormError>{refusal}</FormError>}
            <TextInput
              label="Name"
              description="Which system uses it"
              data-autofocus
              value={typed.name}
              maxLength={100}
              error={errors.name}
              onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
            />
            <Checkbox.Group
              label="It may"
              value={typed.scopes}
              error={errorWithin(errors, 'scopes')}
              onChange={(scopes) => setTyped({ ...typed, scopes })}
            >
              <Stack gap={8} my={6}>
                {ApiScope.options.map((scope) => (
                  <Checkbox key={scope} value={scope} label={scopeNames[scope]} />
                ))}
              </Stack>
            </Checkbox.Group>
            <NativeSelect
              label="Expires after"
              data={lifetimes}
              value={typed.days}
              onChange={(event) => setTyped({ ...typed, days: event.currentTarget.value })}
            />
            <Row justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={busy}>
                Create key
              </Button>
            </Row>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, scopes, start, owner, createdAt, expiresAt, lastUsedAt } = apiKey;
  const user = useAppSelector(selectUser);
  const isExpired = Date.parse(expiresAt) <= Date.now();
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.what}>
        <Text component="div" fw={550}>
          {name}{' '}
          {isExpired && (
            <Badge color="orange" variant="light" tt="none">
              Expired
            </Badge>
          )}
        </Text>
        <Text size="sm">
          {scopes.map((scope) => scopeNames[scope]).join(' · ')}
          {owner.userId !== user?.id && ` · ${owner.email}`}
        </Text>
        <Text size="sm" c="dimmed">
          <code>{start}…</code> · Created {detailDate(createdAt)} · {isExpired ? 'Expired' : 'Expires'}{' '}
          {detailDate(expiresAt)} · Last used{' '}
          {lastUsedAt ? <time title={exactTime(lastUsedAt)}>{timeAgo(lastUsedAt)}</time> : 'never'}
        </Text>
      </div>
      <IconAction aria-label={`Revoke ${name}`} onClick={onRevoke}>
        <IconTrash size={18} stroke={1.5} aria-hidden />
      </IconAction>
    </li>
  );
}

/** The API keys of the user; for an admin those of all. */
export function ApiKeysSection() {
  const query = useApiKeysQuery(undefined, { refetchOnMountOrArgChange: true });
  const [revoke, { isLoading }] = useRevokeApiKeyMutation();
  const [creating, setCreating] = useState(false);
  const revocation = useConfirm<ApiKey>();
  const failure = failureOf([query, 'Failed to fetch the API keys']);
  const { data } = query;
  const button = (
    <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New API key
    </Button>
  );
  const confirm = async () => {
    if (!revocation.about) return;
    const { id, name } = revocation.about;
    const { error } = await revoke({ id });
    if (error) toast.error(errorMessage(error, 'Failed to revoke the key'));
    else toast.success(`“${name}” was revoked`);
    revocation.close();
  };
  return (
    <Stack component="section" gap="sm" aria-labelledby="api-keys">
      <Row justify="space-between">
        <Title order={2} size="h3" id="api-keys">
          API keys
        </Title>
        {data && data.length > 0 && button}
      </Row>
      {failure && <PartFailure {...failure} />}
      {!data && !failure && <ListSkeleton label="Loading API keys…" />}
      {data?.length === 0 && (
        <Notice icon={<IconKey size={32} stroke={1.5} />} title="No API keys" action={button}>
          Another system calls the API with a key, and may do no more than you may. The calls are at{' '}
          <Anchor href="/api/docs" inherit>
            /api/docs
          </Anchor>
          .
        </Notice>
      )}
      {data && data.length > 0 && (
        <ul className={bordered.list} aria-label="API keys">
          {data.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => revocation.ask(apiKey)} />
          ))}
        </ul>
      )}
      {creating && <NewKeyDialog onClose={() => setCreating(false)} />}
      <ConfirmDialog
        opened={revocation.opened}
        title="Revoke this API key?"
        confirmLabel="Revoke key"
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={revocation.close}
      >
        Systems that use “{revocation.about?.name}” can no longer call the API.
      </ConfirmDialog>
    </Stack>
  );
}
