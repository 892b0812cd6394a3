import type { Share, SharedParts } from '@interview-prep/contracts/recording/shares';
import { ActionIcon, Button, Checkbox, Group, Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { IconShare, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyField } from '../../../components/copy-text-button.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { detailDate } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { useCreateShareMutation, useRevokeShareMutation, useSharesQuery } from './shares-api.ts';

const parts: readonly (readonly [keyof SharedParts, string])[] = [
  ['media', 'Recordings'],
  ['transcript', 'Transcripts'],
  ['verdicts', 'Scores'],
];
const everything: SharedParts = { media: true, transcript: true, verdicts: true };
const lifetimes = [
  { value: '1', label: 'One day' },
  { value: '7', label: 'One week' },
  { value: '30', label: '30 days' },
];

/** Lets the owner create and revoke links to the interview. */
export function ShareSession({ sessionId }: { sessionId: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<IconShare size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Share
      </Button>
      {opened && <ShareDialog sessionId={sessionId} onClose={() => setOpened(false)} />}
    </>
  );
}

function ShareDialog({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const { data } = useSharesQuery({ id: sessionId }, { refetchOnMountOrArgChange: true });
  const shares = data?.shares ?? [];
  const [role, setRole] = useState<Share['role']>('read');
  const [shows, setShows] = useState(everything);
  const [days, setDays] = useState('7');
  const [made, setMade] = useState<{ id: string; link: string } | null>(null);
  // Don't show a link that has since been revoked.
  const link = made && shares.some(({ id }) => id === made.id) ? made.link : '';
  const [create, { isLoading }] = useCreateShareMutation();
  const nothing = role === 'read' && !Object.values(shows).some(Boolean);

  const make = async () => {
    try {
      const { share, token } = await create({ id: sessionId, role, shows, days: Number(days) }).unwrap();
      setMade({ id: share.id, link: `${window.location.origin}${paths.shared}#${token}` });
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to create the link'));
    }
  };
  return (
    <Modal opened onClose={onClose} title="Share this interview">
      <Stack gap="md">
        {data?.enabled === false && (
          <Text size="sm">Sharing is turned off on this server. Existing links do not work.</Text>
        )}
        <Text size="sm">
          Anyone with the link can view this without signing in. It does not show your name or email.
        </Text>
        <Radio.Group label="Permission" value={role} onChange={(value) => setRole(value as Share['role'])}>
          <Stack gap={6} mt={6}>
            <Radio value="read" label="View" />
            <Radio value="review" label="View everything and leave feedback, which does not change your score" />
          </Stack>
        </Radio.Group>
        {role === 'read' && (
          <Checkbox.Group
            label="Include"
            value={parts.flatMap(([part]) => (shows[part] ? [part] : []))}
            onChange={(chosen) =>
              setShows({
                media: chosen.includes('media'),
                transcript: chosen.includes('transcript'),
                verdicts: chosen.includes('verdicts'),
              })
            }
          >
            <Stack gap={6} mt={6}>
              {parts.map(([part, label]) => (
                <Checkbox key={part} value={part} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <NativeSelect
          label="Expires after"
          data={lifetimes}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <Button onClick={make} loading={isLoading} disabled={nothing || data?.enabled === false}>
          Create link
        </Button>
        {link && (
          <CopyField
            size="sm"
            text={link}
            label="Link"
            description="Copy this link now. You won't be able to see it again."
          />
        )}
        {shares.length > 0 && <Links shares={shares} />}
      </Stack>
    </Modal>
  );
}

/** The active links. */
function Links({ shares }: { shares: readonly Share[] }) {
  const [revoke, { isLoading }] = useRevokeShareMutation();
  const end = async ({ id, expiresAt }: Share) => {
    try {
      await revoke({ id }).unwrap();
      toast.success(`The link that would expire on ${detailDate(expiresAt)} was revoked`);
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to revoke the link'));
    }
  };
  return (
    <section aria-label="Active links">
      <Text size="sm" fw={600} mb={4}>
        Active links
      </Text>
      {shares.map((share) => {
        const { id, role, shows, expiresAt } = share;
        const seen = parts.flatMap(([part, label]) => (shows[part] ? [label.toLowerCase()] : [])).join(', ');
        const until = detailDate(expiresAt);
        return (
          <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm">
              {role === 'review' ? 'Can view everything and leave feedback' : `Can view ${seen}`} · Expires {until}
            </Text>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Revoke the link that expires ${until}`}
              disabled={isLoading}
              onClick={() => end(share)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        );
      })}
    </section>
  );
}
