import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { quickSetOf } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { savedAs } from '../../../test/held-uploads.ts';
import { prepareRecording } from '../../../test/prepare-recording.ts';
import { renderApp } from '../../../test/render-app.tsx';

const address = `/interview/${quickSetOf(1)._id}`;

const held = prepareRecording({
  shouldAdvanceTime: true,
  toFake: ['setInterval', 'clearInterval', 'Date', 'performance'],
});

const button = (name: string) => screen.findByRole('button', { name });
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

/** Starts an interview and records for a while. */
async function record(seconds: number) {
  renderApp(address);
  await userEvent.click(await button('Start now'));
  await screen.findByText('Recording in progress...');
  await pass(seconds);
}

test('14 seconds of silence are kept, not sent: the candidate records again or sends them anyway', async () => {
  const devices = fakeDevices({ amplitude: 0 });
  await record(14);
  await userEvent.click(await button('Next Question'));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^We heard nothing in this answer\.Your answer \(0:14\) is kept.*record it again, or send it as it is\./,
  );
  expect(held.uploads).toHaveLength(0);

  await userEvent.click(await button('Record again'));
  await screen.findByText('Recording in progress...');
  devices.amplitude = 0.3;
  await pass(1);
  devices.amplitude = 0;
  await pass(13);
  await userEvent.click(await button('Next Question'));
  (await held.latest(1)).answer(savedAs(0));
  expect(await screen.findByText('Recording saved successfully')).toBeVisible();
  expect(await screen.findByText('Question 2 of 2')).toBeVisible();
});

test('a silent answer that is sent anyway is not reported as a success', async () => {
  fakeDevices({ amplitude: 0 });
  await record(14);
  await userEvent.click(await button('Next Question'));
  await screen.findByText('We heard nothing in this answer.');
  await userEvent.click(await button('Next Question'));
  (await held.latest(1)).answer(savedAs(0));
  await waitFor(() =>
    expect(
      screen.getByText('Your answer is saved, but we heard nothing in it.').closest<HTMLElement>('[data-toast]')
        ?.dataset.toast,
    ).toBe('info'),
  );
  expect(screen.queryByText('Recording saved successfully')).toBeNull();
});
