import { type LtiPlatform, type LtiTool, ltiRoutes } from '@interview-prep/contracts/auth/lti';
import { Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { IconPencil, IconSchool, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { z } from 'zod';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { CopyTextButton } from '../../../components/copy-text-button.tsx';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { countOf, detailDate } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import { FormDialog } from '../form-dialog.tsx';
import rows from '../row-list.module.css';
import { errorWithin, useCheckedForm } from '../use-checked-form.ts';
import { IconAction, useDeletion } from '../use-deletion.tsx';
import { IntegrationSection } from './integration-section.tsx';
import {
  useCreatePlatformMutation,
  useDeletePlatformMutation,
  usePlatformsQuery,
  useUpdatePlatformMutation,
} from './integrations-api.ts';
import classes from './integrations-screen.module.css';

/** The settings that a platform asks for, named as in Moodle. */
const addresses: Readonly<Record<keyof LtiTool, { label: string; use: string }>> = {
  loginUrl: { label: 'Login URL', use: 'Initiate login URL' },
  launchUrl: { label: 'Launch URL', use: 'Tool URL and redirection URI' },
  deepLinkUrl: { label: 'Content URL', use: 'Content selection URL, for deep linking' },
  keysUrl: { label: 'Keyset URL', use: 'Public keyset (JWKS)' },
};

/** The fields of a platform, in Moodle's order. */
const fields = [
  ['issuer', 'Platform ID', 'https://moodle.example.com'],
  ['clientId', 'Client ID', ''],
  ['keysUrl', 'Public keyset URL', 'https://moodle.example.com/mod/lti/certs.php'],
  ['tokenUrl', 'Access token URL', 'https://moodle.example.com/mod/lti/token.php'],
  ['authorizationUrl', 'Authentication request URL', 'https://moodle.example.com/mod/lti/auth.php'],
] as const;

const NewPlatform = ltiRoutes.createLtiPlatform.body;

/** Registers a platform or edits one, which keeps its id and client id. */
function PlatformDialog({ platform, onClose }: { platform?: LtiPlatform; onClose: () => void }) {
  const [create] = useCreatePlatformMutation();
  const [update] = useUpdatePlatformMutation();
  const [typed, setTyped] = useState({
    name: platform?.name ?? '',
    issuer: platform?.issuer ?? '',
    clientId: platform?.clientId ?? '',
    keysUrl: platform?.keysUrl ?? '',
    tokenUrl: platform?.tokenUrl ?? '',
    authorizationUrl: platform?.authorizationUrl ?? '',
    deployments: platform?.deploymentIds.join('\n') ?? '',
  });
  const { deployments, ...rest } = typed;
  const deploymentIds = deployments.split('\n').flatMap((line) => line.trim() || []);
  const form = useCheckedForm(NewPlatform, { ...rest, deploymentIds });
  const { errors } = form;
  const change = (part: Partial<typeof typed>) => setTyped({ ...typed, ...part });
  const send = async ({ issuer, clientId, ...changes }: z.output<typeof NewPlatform>) => {
    const { error } = platform
      ? await update({ id: platform.id, ...changes })
      : await create({ issuer, clientId, ...changes });
    if (error) return error as ApiError;
    toast.success(`“${changes.name}” ${platform ? 'saved' : 'added'}`);
    onClose();
  };
  return (
    <FormDialog
      {...{ form, send, onClose }}
      title={platform ? `Edit “${platform.name}”` : 'Add a learning platform'}
      failed="Failed to save the platform"
      submitLabel={platform ? 'Save' : 'Add platform'}
      wide
    >
      <TextInput
        label="Name"
        description="Users read it, such as “Moodle of the college”"
        data-autofocus
        value={typed.name}
        maxLength={100}
        error={errors.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {fields.map(([name, label, placeholder]) => (
        <TextInput
          key={name}
          label={label}
          placeholder={placeholder}
          disabled={platform !== undefined && (name === 'issuer' || name === 'clientId')}
          value={typed[name]}
          error={errors[name]}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
      <Textarea
        size="md"
        label="Deployment IDs"
        description="One per line. Moodle shows a single one."
        autosize
        minRows={1}
        maxRows={6}
        value={typed.deployments}
        error={errorWithin(errors, 'deploymentIds')}
        onChange={(event) => change({ deployments: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

/** The values to copy into a platform's setup. */
function ToolAddresses({ tool }: { tool: LtiTool }) {
  return (
    <Paper withBorder bg="var(--surface)" p={20} component="section" aria-labelledby="tool-addresses">
      <Stack gap="sm">
        <div>
          <Title order={3} size="h4" id="tool-addresses">
            Addresses for the platform
          </Title>
          <Text size="sm" c="dimmed">
            Set up an LTI 1.3 tool on the platform with these, then add the platform here.
          </Text>
        </div>
        <ul className={classes.addresses}>
          {(Object.keys(addresses) as (keyof LtiTool)[]).map((name) => (
            <li key={name}>
              <div className={rows.what}>
                <Text size="sm" fw={550}>
                  {addresses[name].label}{' '}
                  <Text span size="sm" c="dimmed" fw={400}>
                    {addresses[name].use}
                  </Text>
                </Text>
                <code>{tool[name]}</code>
              </div>
              <CopyTextButton text={tool[name]} label="Copy" size="xs" describes={addresses[name].label} />
            </li>
          ))}
        </ul>
      </Stack>
    </Paper>
  );
}

/** The learning platforms whose courses open assignments, for admins. */
export function PlatformsSection() {
  const query = usePlatformsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [remove] = useDeletePlatformMutation();
  const [edited, setEdited] = useState<LtiPlatform | null>(null);
  const deletion = useDeletion<LtiPlatform>({
    remove: ({ id }) => remove({ id }),
    refetch: query.refetch,
    done: ({ name }) => `“${name}” was deleted`,
    failed: 'Failed to delete the platform',
  });
  return (
    <IntegrationSection
      id="learning-platforms"
      title="Learning platforms"
      name="learning platforms"
      newLabel="Add platform"
      icon={<IconSchool size={32} stroke={1.5} />}
      purpose="Courses in Moodle, Canvas and other platforms with LTI 1.3 open assignments, bring their members along, and get their scores."
      query={{ ...query, data: query.data?.platforms }}
      newDialog={(onClose) => <PlatformDialog onClose={onClose} />}
      row={(platform) => (
        <li key={platform.id} className={`${rows.row} ${rows.padded}`}>
          <div className={rows.what}>
            <Text fw={550}>{platform.name}</Text>
            <Text size="sm">
              {platform.issuer} · Client {platform.clientId}
            </Text>
            <Text size="sm" c="dimmed">
              {countOf(platform.courseCount, 'course')} · Added {detailDate(platform.createdAt)}
            </Text>
          </div>
          <IconAction aria-label={`Edit ${platform.name}`} onClick={() => setEdited(platform)}>
            <IconPencil size={18} stroke={1.5} aria-hidden />
          </IconAction>
          <IconAction aria-label={`Delete ${platform.name}`} onClick={() => deletion.ask(platform)}>
            <IconTrash size={18} stroke={1.5} aria-hidden />
          </IconAction>
        </li>
      )}
    >
      {query.data && <ToolAddresses tool={query.data.tool} />}
      {edited && <PlatformDialog platform={edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog {...deletion.dialog} title={`Delete “${deletion.about?.name}”?`} confirmLabel="Delete platform">
        Its {countOf(deletion.about?.courseCount ?? 0, 'course')} can no longer open assignments, and the log of their
        scores is deleted. Groups, members and assignments stay. People who came from the platform can still sign in:
        they set a password with “Forgot your password?”.
      </ConfirmDialog>
    </IntegrationSection>
  );
}
