import { Alert, Button, Text } from '@mantine/core';
import { IconVideoOff } from '@tabler/icons-react';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import { devicesAdvice } from './device-advice.ts';

interface DevicesHelpProps {
  problem: DeviceProblem;
  onRetry: () => void;
}

/** No input: what happened and what to do. */
export function DevicesHelp({ problem, onRetry }: DevicesHelpProps) {
  const { title, advice } = devicesAdvice[problem];
  return (
    <Alert role="alert" color="orange" title={title} icon={<IconVideoOff />}>
      <Text size="sm">{advice} Your saved answers are safe.</Text>
      <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}
