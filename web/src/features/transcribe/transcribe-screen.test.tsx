import { act, fireEvent, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { server, signInBefore } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { sampleTranscription } from './transcribe-screen.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

const seen = () => document.querySelector('section p[aria-hidden]')?.textContent ?? '';
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

/** Opens the page without reduced motion and with fake timers, from a fresh start. */
async function open() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { matches: false, media }) as never,
  );
  signInBefore('others');
  renderApp('/transcribe');
  const again = await screen.findByRole('button', { name: 'Start again' });
  vi.useFakeTimers();
  fireEvent.click(again);
  return again;
}

test('types at 50 ms a character while a timer runs, and both end together', async () => {
  await open();
  expect(seen()).toBe('');
  pass(50);
  expect(seen()).toBe(sampleTranscription.slice(0, 1));
  pass(50 * 39);
  expect(seen()).toBe(sampleTranscription.slice(0, 40));
  expect(screen.getByRole('timer')).toHaveTextContent('0:02');
  expect(screen.getByText('Transcribing...')).toBeVisible();

  pass(50 * (sampleTranscription.length - 40));
  expect(seen()).toBe(sampleTranscription);
  expect(screen.getByText('Transcription completed')).toBeVisible();
  const ended = screen.getByRole('timer').textContent;
  pass(10_000);
  expect(screen.getByRole('timer')).toHaveTextContent(ended ?? '');
});

test('can be replayed from the beginning', async () => {
  const again = await open();
  pass(5000);
  expect(seen()).toHaveLength(100);
  fireEvent.click(again);
  expect(seen()).toBe('');
  expect(screen.getByRole('timer')).toHaveTextContent('0:00');
});

test('the text appears at once with reduced motion, and always for a screen reader', async () => {
  signInBefore('others');
  renderApp('/transcribe');
  expect(await screen.findByText('Transcription completed')).toBeVisible();
  expect(seen()).toBe(sampleTranscription);
  expect(screen.getByRole('region', { name: 'Sample transcription' })).toHaveTextContent(sampleTranscription);
});

test('a visitor sees the login screen', async () => {
  renderApp('/transcribe');
  expect(await screen.findByRole('heading', { name: 'Interview Platform Login' })).toBeVisible();
});
