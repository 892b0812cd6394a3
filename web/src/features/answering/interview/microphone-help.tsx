import { Alert, Button, Text } from '@mantine/core';
import { IconMicrophoneOff } from '@tabler/icons-react';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import { microphoneAdvice } from './microphone-advice.ts';

interface MicrophoneHelpProps {
  problem: DeviceProblem;
  onRetry: () => void;
}

/** No microphone: what happened and what to do. */
export function MicrophoneHelp({ problem, onRetry }: MicrophoneHelpProps) {
  const { title, advice } = microphoneAdvice[problem];
  return (
    <Alert role="alert" color="orange" title={title} icon={<IconMicrophoneOff />} mb="lg">
      <Text size="sm">{advice} Your saved answers are safe.</Text>
      <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
        Try the microphone again
      </Button>
    </Alert>
  );
}
