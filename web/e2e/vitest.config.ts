import { availableParallelism } from 'node:os';
import { defineProject } from 'vitest/config';

/** Tests in a real Chromium against one running product. Files run side by side, each with a browser of its own. */
export default defineProject({
  root: import.meta.dirname,
  test: {
    name: 'e2e',
    environment: 'node',
    // As in the root configuration: files share a worker, which loads Playwright once.
    isolate: false,
    include: ['**/*.test.ts'],
    globalSetup: ['running-product.ts'],
    // As in the root configuration: projects that run side by side must agree.
    maxWorkers: availableParallelism() + 1,
    // A test that fails twice fails. The report names every retry.
    retry: 1,
    testTimeout: 480_000,
    hookTimeout: 240_000,
    // Only failures take this long.
    expect: { poll: { timeout: 15_000, interval: 100 } },
  },
});
