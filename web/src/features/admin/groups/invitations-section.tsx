import type { GroupDetail, GroupInvitation, InvitationState } from '@interview-prep/contracts/auth/groups';
import { Badge, Button, Progress, Group as Row, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { TimeAgo } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useInviteMutation, useRevokeInvitationMutation } from '../../../lib/api/groups-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import rows from '../row-list.module.css';
import { IconAction, useInFlight } from '../use-deletion.tsx';
import classes from './group-screen.module.css';

const shownFirst = 20;

const states: Record<InvitationState, { label: string; color: string }> = {
  queued: { label: 'Sending', color: 'gray' },
  sent: { label: 'Sent', color: 'indigo' },
  failed: { label: 'Not delivered', color: 'red' },
  expired: { label: 'Expired', color: 'orange' },
};

/** Pending invitations and their mail status; each can be resent or revoked. People who accept become members. */
export function InvitationsSection({ group: { id, invitations } }: { group: GroupDetail }) {
  const [invite] = useInviteMutation();
  const [revoke] = useRevokeInvitationMutation();
  const [busy, run] = useInFlight();
  const [showsAll, setShowsAll] = useState(false);
  if (invitations.length === 0) return null;
  const sent = invitations.filter(({ state }) => state !== 'queued').length;
  const shown = showsAll ? invitations : invitations.slice(0, shownFirst);

  const sendAgain = (people: readonly GroupInvitation[]) =>
    run(async () => {
      const named = people.map(({ email, name = '' }) => ({ email, name }));
      const { data, error } = await invite({ id, people: named });
      if (error) toast.error(errorMessage(error, 'Failed to send the invitations'));
      else if (data.links) toast.info('No mail server is set up. Use “Invite people” to get new links.');
      else toast.success(`${countOf(data.invited, 'invitation')} on the way`);
    });
  const end = ({ id: invitationId, email }: GroupInvitation) =>
    run(async () => {
      const { error } = await revoke({ id, invitationId });
      if (error) toast.error(errorMessage(error, 'Failed to revoke the invitation'));
      else toast.success(`The invitation of ${email} was revoked`);
    });

  return (
    <Stack component="section" gap="sm" aria-labelledby="invitations">
      <Row justify="space-between">
        <Title order={2} size="h3" id="invitations">
          Invited, not joined yet
        </Title>
        <Button size="xs" variant="default" disabled={busy} onClick={() => void sendAgain(invitations)}>
          Send all again
        </Button>
      </Row>
      <Text size="sm" c="dimmed" role="status" className="tabular">
        {sent < invitations.length
          ? `${sent} of ${countOf(invitations.length, 'invitation')} sent`
          : countOf(invitations.length, 'open invitation')}
      </Text>
      {sent < invitations.length && (
        <Progress value={(100 * sent) / invitations.length} aria-label="Invitations sent" />
      )}
      <ul className={bordered.list} aria-label="Invitations">
        {shown.map((invitation) => (
          <li key={invitation.id} className={`${rows.row} ${classes.row}`}>
            <div className={classes.who}>
              <Text fw={550}>{invitation.name ?? invitation.email}</Text>
              <Text size="sm" c="dimmed">
                {invitation.name && `${invitation.email} · `}Invited <TimeAgo at={invitation.invitedAt} />
              </Text>
            </div>
            <Badge variant="light" color={states[invitation.state].color} tt="none" fw={500}>
              {states[invitation.state].label}
            </Badge>
            <Button
              size="xs"
              variant="default"
              disabled={busy}
              aria-label={`Send again to ${invitation.email}`}
              onClick={() => void sendAgain([invitation])}
            >
              Send again
            </Button>
            <IconAction
              color="red"
              aria-label={`Revoke the invitation of ${invitation.email}`}
              disabled={busy}
              onClick={() => void end(invitation)}
            >
              <IconX size={18} stroke={1.5} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
      {!showsAll && invitations.length > shownFirst && (
        <Button variant="subtle" onClick={() => setShowsAll(true)}>
          Show all {invitations.length}
        </Button>
      )}
    </Stack>
  );
}
