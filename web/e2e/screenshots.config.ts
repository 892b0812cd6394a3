import { defineConfig } from 'vitest/config';

/** Not a test: makes the pictures of docs/screenshots. See the README there. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'screenshots',
    environment: 'node',
    include: ['screenshots.ts'],
    globalSetup: ['running-product.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
