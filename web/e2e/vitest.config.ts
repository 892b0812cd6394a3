import { defineProject } from 'vitest/config';

/** Tests in a real Chromium against the whole product; one file after another, each with a browser of its own. */
export default defineProject({
  root: import.meta.dirname,
  test: {
    name: 'e2e',
    environment: 'node',
    include: ['**/*.test.ts'],
    globalSetup: ['running-product.ts'],
    fileParallelism: false,
    // As many pages at once as there are cores to spare, where a file lets its tests run side by side.
    maxConcurrency: 2,
    // A browser on a busy machine may miss a moment; one that fails twice fails. The report names what was tried again.
    retry: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What is awaited comes late on a busy machine; a test that passes waits no longer for it.
    expect: { poll: { timeout: 15_000 } },
  },
});
