import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { server, signInBefore } from './fake-api.ts';
import { holdUploads } from './held-uploads.ts';

/**
 * Sets up each test of a file that records answers: a candidate is signed in, uploads wait for the test to complete them, and
 * warnings are silenced. Call it once, at the top of the file.
 * @param fakeTimers uses Vitest's fake timers in each test
 * @returns the current test's uploads
 */
export function prepareRecording(fakeTimers?: Parameters<typeof vi.useFakeTimers>[0]): ReturnType<typeof holdUploads> {
  const held = {} as ReturnType<typeof holdUploads>;
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    if (fakeTimers) vi.useFakeTimers(fakeTimers);
    Object.assign(held, holdUploads());
    signInBefore('others');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    server.resetHandlers();
  });
  afterAll(() => server.close());
  return held;
}
