import { limits } from '@interview-prep/contracts/api/limits';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { expect, test } from 'vitest';
import { RecordingIndicator } from './recording-indicator.tsx';

const show = (sizeBytes: number, hearing: 'heard' | 'silent' = 'heard') =>
  render(
    <MantineProvider env="test">
      <RecordingIndicator
        state="Recording in progress..."
        recordingSinceMs={Date.now() - 300_000}
        hearing={hearing}
        listening
        sizeBytes={sizeBytes}
        meter={createRef()}
        live
      />
    </MantineProvider>,
  );

test('near the size limit it shows the time left', () => {
  show(limits.recordingMaxBytes * 0.9);
  expect(screen.getByText(/^This answer is close to the size limit: about 30 seconds left\.$/)).toBeVisible();
});

test('far from the size limit it shows nothing', () => {
  show(limits.recordingMaxBytes * 0.8);
  expect(screen.queryByText(/close to the size limit/)).toBeNull();
  expect(screen.getByRole('timer')).toHaveTextContent('5:00');
});

test('silence is indicated', () => {
  show(1000, 'silent');
  expect(screen.getByText(/^We can't hear you\./)).toBeVisible();
});
