import { Alert, Button, Text } from '@mantine/core';
import { IconMicrophoneOff } from '@tabler/icons-react';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';

/** What happened and what to do. */
export const microphoneAdvice: Readonly<Record<DeviceProblem, { title: string; advice: string }>> = {
  denied: {
    title: 'The microphone is blocked',
    advice:
      "Allow it for this site: click the icon next to the address, set 'Microphone' to 'Allow', then try again. On a phone, use the site permissions in your browser's settings.",
  },
  missing: {
    title: 'No microphone found',
    advice: 'Connect a microphone or headset, make sure it is switched on, then try again.',
  },
  busy: {
    title: 'The microphone is in use',
    advice: 'Another program, perhaps a call, is using it. Close it, then try again.',
  },
  unsupported: {
    title: 'This browser cannot record',
    advice: 'Use a current version of Chrome, Edge, Firefox or Safari.',
  },
  insecure: {
    title: 'Recording needs a secure address',
    advice: 'Browsers allow the microphone only on https:// pages or on this computer itself (localhost).',
  },
  lost: {
    title: 'The microphone was disconnected',
    advice: 'Reconnect it or choose another one.',
  },
  unknown: {
    title: 'The microphone could not be opened',
    advice: "Check it in your system's sound settings, then try again.",
  },
};

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
