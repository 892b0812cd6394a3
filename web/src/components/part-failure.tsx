import { Box, type BoxProps, Button, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import type { LoadFailed } from './failed-loads.ts';
import classes from './part-failure.module.css';

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
