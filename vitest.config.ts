import { defineConfig } from 'vitest/config';

/** A project per package: each file boots what it tests, over the backing services that the global set-up started. */
const serviceTests = (name: string, root: string, include = 'test/**/*.test.ts') => ({
  test: {
    name,
    root,
    include: [include],
    globalSetup: [new URL('./deploy/local/src/test-services.ts', import.meta.url).pathname],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is awaited comes late on a busy machine; a test that passes waits no longer for it.
    expect: { poll: { timeout: 15_000 } },
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'contracts',
          root: 'services/contracts',
          include: ['test/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      serviceTests('kit', 'services/kit'),
      serviceTests('auth', 'services/auth'),
      serviceTests('catalog', 'services/catalog'),
      serviceTests('recording', 'services/recording'),
      serviceTests('history', 'services/history'),
      { test: { name: 'gateway', root: 'gateway', include: ['test/**/*.test.ts'] } },
      { test: { name: 'local', root: 'deploy/local', include: ['test/*.test.ts'], testTimeout: 60_000 } },
      // The whole product, as its clients see it.
      serviceTests('product', 'deploy/local', 'test/product/*.test.ts'),
      {
        test: {
          name: 'embedded-mongo',
          root: 'deploy/local/embedded-mongo',
          include: ['test/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'embedded-s3',
          root: 'deploy/local/embedded-s3',
          include: ['test/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      './web/vitest.config.ts',
      './web/e2e/vitest.config.ts',
    ],
  },
});
