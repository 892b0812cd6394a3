import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { quickSetOf, server } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { savedAs } from '../../../test/held-uploads.ts';
import { prepareRecording } from '../../../test/prepare-recording.ts';
import { renderApp } from '../../../test/render-app.tsx';

const held = prepareRecording({ shouldAdvanceTime: true });

const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
const button = (name: string) => screen.findByRole('button', { name });
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

/** Starts an interview with a set. */
async function begin(times: Parameters<typeof quickSetOf>[1]) {
  const set = quickSetOf(1, times);
  server.use(http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [set] })));
  renderApp(`/interview/${set._id}`);
  const start = await button('Start now');
  return { start: () => user.click(start) };
}

test('thinking time counts down before each recording, and can be cut short', async () => {
  const { recorders } = fakeDevices();
  const { start } = await begin({ thinkingSeconds: 30 });
  expect(screen.getByText(/You have 30 s to think before the recording starts, for each question\./)).toBeVisible();
  await start();
  expect(await screen.findByText('Time to think')).toBeVisible();
  await pass(10);
  expect(screen.getByRole('timer')).toHaveTextContent(/^0:(19|20)$/);
  expect(recorders).toHaveLength(0);
  await pass(11);
  expect(screen.getByText('10 seconds left')).toHaveAttribute('role', 'status');
  await pass(10);
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
  expect(recorders).toHaveLength(1);

  await user.click(await button('Next Question'));
  (await held.latest(1)).answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
  expect(await screen.findByText('Time to think')).toBeVisible();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
  expect(recorders).toHaveLength(2);
});

test('the time limit shows the time left, stops the recording when it is over, and keeps it', async () => {
  fakeDevices();
  const { start } = await begin({ timeLimitSeconds: 60 });
  await start();
  await screen.findByText('Recording in progress...');
  await pass(20);
  expect(screen.getByText('left', { exact: false, selector: 'span' })).toHaveTextContent(/^0:(39|40) left$/);
  await pass(41);
  // The last word isn't cut off.
  expect(screen.getByText('Recording in progress...')).toBeVisible();
  await pass(2);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Time is up\. Everything you said is kept\.Your answer \(1:0\d\) is kept .* Send it or record a new answer\./,
  );
  expect(held.uploads).toHaveLength(0);
  expect(screen.getByText('Saved on this device. Select Next Question to send it.')).toBeVisible();
  await user.click(await button('Next Question'));
  (await held.latest(1)).answer(savedAs(0));
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('the suggested length is shown with the question; without answer times the recording starts immediately', async () => {
  fakeDevices();
  const { start } = await begin({ lengthHintSeconds: 120 });
  expect(screen.getByText(/Recording starts as soon as each question appears\./)).toBeVisible();
  await start();
  expect(await screen.findByText('Aim for about 2 min.')).toBeVisible();
  expect(await screen.findByText('Recording in progress...')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/left$/)).toBeNull());
});
