import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import ToastHost from '../app/toast-host.tsx';
import { toast } from './toasts.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  render(
    <MantineProvider env="test">
      <ToastHost />
    </MantineProvider>,
  );
});
afterEach(() => {
  act(() => notifications.clean());
  vi.useRealTimers();
});

test.each(['success', 'error'] as const)('%s closes by itself after five seconds', async (kind) => {
  act(() => toast[kind]('Done'));
  expect(screen.getByText('Done')).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(4900));
  expect(screen.getByText('Done')).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(1000));
  await waitFor(() => expect(screen.queryByText('Done')).toBeNull());
});

test('info toasts stay until they are closed', async () => {
  act(() => toast.info('Uploading recording...'));
  act(() => void vi.advanceTimersByTime(60_000));
  const shown = screen.getByText('Uploading recording...').closest('[data-toast]') as HTMLElement;
  await userEvent.click(within(shown).getByRole('button', { name: 'Close' }));
  act(() => void vi.advanceTimersByTime(1000));
  await waitFor(() => expect(screen.queryByText('Uploading recording...')).toBeNull());
});

test('a toast replaces one with the same id, and restarts the time', async () => {
  act(() => toast.info('Uploading recording...', { id: 'recorder' }));
  act(() => toast.success('Recording saved successfully', { id: 'recorder' }));
  act(() => void vi.advanceTimersByTime(1000));
  await waitFor(() => expect(screen.queryByText('Uploading recording...')).toBeNull());
  expect(screen.getByText('Recording saved successfully')).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(5000));
  await waitFor(() => expect(screen.queryByText('Recording saved successfully')).toBeNull());
});

test.each(['success', 'error'] as const)('%s that replaces one of its kind has its own five seconds', async (kind) => {
  act(() => toast[kind]('First', { id: 'save' }));
  act(() => void vi.advanceTimersByTime(4000));
  act(() => toast[kind]('Second', { id: 'save' }));
  await waitFor(() => expect(screen.queryByText('First')).toBeNull());
  act(() => void vi.advanceTimersByTime(2000));
  // An expired toast is gone once its exit animation has run too.
  act(() => void vi.advanceTimersByTime(500));
  expect(screen.getByText('Second')).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(3000));
  await waitFor(() => expect(screen.queryByText('Second')).toBeNull());
});

test('a toast is dismissed by its id', async () => {
  act(() => toast.info('You have been signed out', { id: 'session' }));
  act(() => toast.dismiss('session'));
  await waitFor(() => expect(screen.queryByText('You have been signed out')).toBeNull());
});
