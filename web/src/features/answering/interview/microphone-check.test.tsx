import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Hearing } from '../../../lib/recording/use-sound-level.ts';
import { MicrophoneCheck } from './microphone-check.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const check = (hearing: Hearing, onBegin: () => void) => (
  <MantineProvider env="test">
    <MicrophoneCheck
      ready
      hearing={hearing}
      times="Recording starts at once."
      questionNumber={1}
      questionCount={3}
      onBegin={onBegin}
    />
  </MantineProvider>
);
function pass(seconds: number) {
  for (let second = 0; second < seconds; second++) act(() => void vi.advanceTimersByTime(1000));
}

test('the countdown starts once the microphone has picked up sound, and continues through a pause', () => {
  const onBegin = vi.fn();
  const { rerender } = render(check('listening', onBegin));
  pass(20);
  expect(onBegin).not.toHaveBeenCalled();
  expect(screen.queryByText(/starts in/)).toBeNull();

  rerender(check('silent', onBegin));
  expect(screen.getByRole('status')).toHaveTextContent(/^We can’t hear you yet/);
  expect(screen.getByRole('button', { name: 'Start now' })).toBeEnabled();

  rerender(check('heard', onBegin));
  expect(screen.getByRole('status')).toHaveTextContent('We can hear you.');
  expect(screen.getByText('Question 1 starts in 5 s')).toBeVisible();
  pass(2);
  rerender(check('silent', onBegin));
  pass(4);
  expect(onBegin).toHaveBeenCalledOnce();
});
