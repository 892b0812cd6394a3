import { expect, onTestFinished, test, vi } from 'vitest';
import { timeZone } from './api/first-requests.ts';

test("the time zone is the browser's, with and without Temporal", () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('Temporal', undefined);
  expect(timeZone()).toBe('UTC');
  vi.stubGlobal('Temporal', { Now: { timeZoneId: () => 'Asia/Kolkata' } });
  expect(timeZone()).toBe('Asia/Kolkata');
});
