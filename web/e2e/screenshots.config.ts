import { defineConfig } from 'vitest/config';

/** Not a test: generates the images in docs/screenshots. See the README there. */
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
