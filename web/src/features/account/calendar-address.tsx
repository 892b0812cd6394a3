import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '../../components/copy-text-button.tsx';
import { failureOf, PartFailure } from '../../components/load-failure.tsx';
import { DetailDate } from '../../components/times.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { toast } from '../../lib/toasts.ts';
import { useCreateCalendarMutation, useDeleteCalendarMutation, useGetCalendarQuery } from './account-api.ts';

/** The URL from which calendar apps read the due dates of assignments. */
export function CalendarAddress() {
  const query = useGetCalendarQuery(undefined, { refetchOnMountOrArgChange: true });
  const [create, { isLoading: isCreating }] = useCreateCalendarMutation();
  const [end, { isLoading: isEnding }] = useDeleteCalendarMutation();
  const [url, setUrl] = useState('');
  const failure = failureOf([query, 'Failed to fetch the calendar address']);
  const createdAt = query.data ?? null;
  const tried = async (action: () => Promise<string>, said: string, failed: string) => {
    try {
      setUrl(await action());
      toast.success(said);
    } catch (error) {
      toast.error(errorMessage(error, failed));
    }
  };
  return (
    <section aria-labelledby="calendar">
      <Title order={2} size="h4" id="calendar">
        Due dates in your calendar
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Add this address to your calendar app to see when assigned work is due. Anyone who has it can read your due
        dates.
      </Text>
      {failure && <PartFailure {...failure} />}
      {url && (
        <CopyField
          mb="sm"
          text={url}
          label="Calendar address"
          description="Copy it now. You won't be able to see it again."
        />
      )}
      {query.isSuccess && (
        <Group gap="sm">
          {createdAt && (
            <Text size="sm">
              Created on <DetailDate at={createdAt} />
            </Text>
          )}
          <Button
            size="xs"
            variant="default"
            loading={isCreating}
            onClick={() =>
              tried(
                async () => (await create().unwrap()).url,
                createdAt ? 'The earlier address no longer works' : 'Calendar address created',
                'Failed to create the address',
              )
            }
          >
            {createdAt ? 'Replace the address' : 'Create an address'}
          </Button>
          {createdAt && (
            <Button
              size="xs"
              variant="default"
              loading={isEnding}
              onClick={() =>
                tried(
                  async () => {
                    await end().unwrap();
                    return '';
                  },
                  'Calendar address removed',
                  'Failed to remove the address',
                )
              }
            >
              Remove it
            </Button>
          )}
        </Group>
      )}
    </section>
  );
}
