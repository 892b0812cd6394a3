import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { server, signInBefore } from './fake-api.ts';
import { holdUploads } from './held-uploads.ts';

/**
 * Prepares each test of a file that records answers: a candidate is signed in, uploads wait for the test to answer them, and
 * warnings are not printed. Call it once, at the file's top.
 * @param fakeTimers makes Vitest's timers those of each test
 * @returns the uploads of the test that runs
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
