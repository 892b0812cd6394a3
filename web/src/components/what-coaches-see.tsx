import { Alert, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';

/** Tells members what coaches can see. `coaches` are names or email addresses. */
export function WhatCoachesSee({ coaches }: { coaches: readonly string[] }) {
  return (
    <Alert color="indigo" icon={<IconEye />} title="What coaches see">
      <Text size="sm">
        {coaches.length > 0 ? `The coaches of this group (${coaches.join(', ')})` : 'The coaches of this group'} see
        your name and email, and what you do for its assignments: your recordings, transcripts and scores. They see
        nothing of what you practice for yourself. If you leave, they see nothing more, and your work stays yours.
      </Text>
    </Alert>
  );
}
