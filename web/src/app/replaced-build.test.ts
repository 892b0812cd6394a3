import { afterEach, expect, test, vi } from 'vitest';
import { reloadWhenReplaced } from './trusted-types.ts';

afterEach(() => vi.restoreAllMocks());

test('a page whose code was replaced reloads once', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  reloadWhenReplaced();
  const lost = () => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
  // If it is not canceled, the error reaches the error page.
  expect(lost()).toBe(false);
  expect(lost()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
});
