import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import { Button, NativeSelect, NumberInput, Paper, Group as Row, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CopyTextButton } from '../../../components/copy-text-button.tsx';
import { DetailDate } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useCloseJoinCodeMutation, useOpenJoinCodeMutation } from '../../../lib/api/groups-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';

const dayMs = 86_400_000;
const periods = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '180', label: '180 days' },
];

/** The group's join code: create it with seats and an end date, copy its link, end it. */
export function JoinCodeCard({ group: { id, joinCode } }: { group: GroupDetail }) {
  const [open, { isLoading }] = useOpenJoinCodeMutation();
  const [close, closing] = useCloseJoinCodeMutation();
  const [seats, setSeats] = useState<number | string>(30);
  const [days, setDays] = useState('7');
  const make = async () => {
    const expiresAt = new Date(Date.now() + Number(days) * dayMs).toISOString();
    const { error } = await open({ id, seats: Number(seats), expiresAt });
    if (error) toast.error(errorMessage(error, 'Failed to create a code'));
  };
  const end = async () => {
    const { error } = await close({ id });
    if (error) toast.error(errorMessage(error, 'Failed to revoke the code'));
    else toast.success('Join code revoked');
  };
  const isOver = joinCode !== null && Date.parse(joinCode.expiresAt) <= Date.now();

  return (
    <Paper withBorder bg="var(--surface)" p={20} component="section" aria-labelledby="join-code">
      <Stack gap="sm">
        <Title order={2} size="h4" id="join-code">
          Join code
        </Title>
        {joinCode && !isOver ? (
          <>
            <Text size="xl" fw={700} ff="monospace">
              {joinCode.code}
            </Text>
            <Text size="sm" c="dimmed">
              {joinCode.seatsLeft} of {countOf(joinCode.seats, 'seat')} left · Expires{' '}
              <DetailDate at={joinCode.expiresAt} />
            </Text>
            <Row gap="xs">
              <CopyTextButton
                text={`${window.location.origin}${paths.join}#code=${joinCode.code}`}
                label="Copy the link"
                size="xs"
              />
              <Button variant="light" color="red" size="xs" loading={closing.isLoading} onClick={() => void end()}>
                Revoke code
              </Button>
            </Row>
          </>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              Anyone with the code can join, as long as there are seats. People without an account first confirm their
              email.
            </Text>
            <Row gap="xs" align="flex-end">
              <NumberInput label="Seats" w={90} min={1} max={5000} value={seats} onChange={setSeats} />
              <NativeSelect
                label="Expires after"
                data={periods}
                value={days}
                onChange={(event) => setDays(event.currentTarget.value)}
              />
              <Button variant="default" loading={isLoading} onClick={() => void make()}>
                Create code
              </Button>
            </Row>
          </>
        )}
      </Stack>
    </Paper>
  );
}
