import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import type { LoadFailed } from './failed-loads.ts';
import { Notice } from './notice.tsx';

/** Shown in place of a page that failed to load, with the message and a retry button. */
export function LoadFailure({
  message,
  onRetry,
  retrying = false,
}: Omit<LoadFailed, 'retrying'> & { retrying?: boolean }) {
  return (
    <Notice
      alert
      icon={<IconCloudOff size={32} stroke={1.5} />}
      title={message}
      action={
        <Button variant="default" onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      }
    >
      Nothing is lost. Check your connection and try again.
    </Notice>
  );
}
