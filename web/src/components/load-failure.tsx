import { Box, type BoxProps, Button, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { errorMessage } from '../lib/api/api-error.ts';
import { Notice } from './notice.tsx';
import classes from './part-failure.module.css';

/** The fields of a query that failures depend on. */
interface Load {
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

export interface LoadFailed {
  message: string;
  onRetry: () => void;
  retrying: boolean;
}

/**
 * The first failure among several loads, each with its fallback message; its retry reloads all failed ones.
 * Undefined if none failed. A failure persists while it is being retried.
 */
export function failureOf(...loads: readonly (readonly [load: Load, fallback: string])[]): LoadFailed | undefined {
  const failed = loads.filter(([{ error }]) => error !== undefined);
  const [first] = failed;
  if (!first) return undefined;
  const [{ error }, fallback] = first;
  return {
    message: errorMessage(error, fallback),
    onRetry: () => {
      for (const [{ refetch }] of failed) refetch();
    },
    retrying: failed.some(([{ isFetching }]) => isFetching),
  };
}

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

/** Shown in place of a part of a page that failed to load: one line with the message and a retry button. */
export function PartFailure({ message, onRetry, retrying, ...box }: LoadFailed & BoxProps) {
  return (
    <Box className={classes.failure} role="alert" {...box}>
      <div className={classes.message}>
        <IconCloudOff size={18} stroke={1.75} aria-hidden />
        <Text size="sm" fw={500}>
          {message}
        </Text>
      </div>
      <Button variant="default" size="xs" onClick={onRetry} loading={retrying}>
        Try again
      </Button>
    </Box>
  );
}
