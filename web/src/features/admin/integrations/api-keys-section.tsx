import { ApiScope, scopeNames } from '@interview-prep/contracts/api/scopes';
import { type ApiKey, apiKeyRoutes } from '@interview-prep/contracts/auth/api-keys';
import { Anchor, Badge, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import { detailDate } from '../../../lib/formats.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import rows from '../row-list.module.css';
import { errorWithin } from '../use-checked-form.ts';
import { IconAction, useDeletion } from '../use-deletion.tsx';
import { IntegrationSection, NewSecretDialog } from './integration-section.tsx';
import { useApiKeysQuery, useCreateApiKeyMutation, useRevokeApiKeyMutation } from './integrations-api.ts';

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'One year' },
];
const NewApiKey = apiKeyRoutes.createApiKey.body;

/** Creates a key for a purpose and shows it once. */
function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [create] = useCreateApiKeyMutation();
  const [typed, setTyped] = useState({ name: '', scopes: [] as string[], days: '90' });
  return (
    <NewSecretDialog
      title="New API key"
      schema={NewApiKey}
      typed={{ ...typed, days: Number(typed.days) }}
      create={create}
      failed="Failed to create the key"
      submitLabel="Create key"
      secretLabel="API key"
      usage={
        <>
          Send it as a bearer token: <code>Authorization: Bearer ipp_…</code>
        </>
      }
      onClose={onClose}
      fields={(errors) => (
        <>
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
            label="Scopes"
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
        </>
      )}
    />
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, scopes, start, owner, createdAt, expiresAt, lastUsedAt } = apiKey;
  const user = useAppSelector(selectUser);
  const isExpired = Date.parse(expiresAt) <= Date.now();
  return (
    <li className={`${rows.row} ${rows.padded}`}>
      <div className={rows.what}>
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
          {detailDate(expiresAt)} · Last used {lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'never'}
        </Text>
      </div>
      <IconAction aria-label={`Revoke ${name}`} onClick={onRevoke}>
        <IconTrash size={18} stroke={1.5} aria-hidden />
      </IconAction>
    </li>
  );
}

/** The user's API keys; for admins, everyone's. */
export function ApiKeysSection() {
  const query = useApiKeysQuery(undefined, { refetchOnMountOrArgChange: true });
  const [revoke] = useRevokeApiKeyMutation();
  const revocation = useDeletion<ApiKey>({
    remove: ({ id }) => revoke({ id }),
    refetch: query.refetch,
    done: ({ name }) => `“${name}” was revoked`,
    failed: 'Failed to revoke the key',
  });
  return (
    <IntegrationSection
      id="api-keys"
      title="API keys"
      name="API keys"
      newLabel="New API key"
      icon={<IconKey size={32} stroke={1.5} />}
      purpose={
        <>
          Another system calls the API with a key, and may do no more than you may. The calls are at{' '}
          <Anchor href="/api/docs" inherit underline="always">
            /api/docs
          </Anchor>
          .
        </>
      }
      query={query}
      row={(apiKey) => <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => revocation.ask(apiKey)} />}
      newDialog={(onClose) => <NewKeyDialog onClose={onClose} />}
    >
      <ConfirmDialog {...revocation.dialog} title="Revoke this API key?" confirmLabel="Revoke key">
        Systems that use “{revocation.about?.name}” can no longer call the API.
      </ConfirmDialog>
    </IntegrationSection>
  );
}
