import { defineProject } from 'vitest/config';

/** Tests in a real Chromium against the whole stack; one file after another, each with a browser of its own. */
export default defineProject({
  root: import.meta.dirname,
  test: {
    name: 'e2e',
    environment: 'node',
    include: ['**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
