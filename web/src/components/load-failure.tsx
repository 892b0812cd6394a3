import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { Notice } from './notice.tsx';

interface LoadFailureProps {
  message: string;
  onRetry: () => void;
  retrying?: boolean;
}

/** A load that failed: the message, and the way to try again. */
export function LoadFailure({ message, onRetry, retrying = false }: LoadFailureProps) {
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
      Nothing is lost. Check the connection and try again.
    </Notice>
  );
}
