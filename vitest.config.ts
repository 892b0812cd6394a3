import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A project of tests on Node. What is awaited comes late on a busy machine; a test that passes waits no longer for it. */
const nodeTests = (name: string, root: string, include = 'test/**/*.test.ts') => ({
  test: {
    name,
    root,
    include: [include],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});

/** A project per package: each file boots what it tests, over the backing services that the global set-up started. */
const serviceTests = (...project: Parameters<typeof nodeTests>) => {
  const { test } = nodeTests(...project);
  return {
    test: { ...test, globalSetup: [fileURLToPath(new URL('./deploy/local/src/test-services.ts', import.meta.url))] },
  };
};

export default defineConfig({
  test: {
    // Test files mostly wait for servers and timers. The browser's run one by one, by themselves.
    maxWorkers: '100%',
    // A global set-up may have a whole product to stop.
    teardownTimeout: 60_000,
    projects: [
      nodeTests('contracts', 'services/contracts'),
      serviceTests('kit', 'services/kit'),
      serviceTests('auth', 'services/auth'),
      serviceTests('catalog', 'services/catalog'),
      serviceTests('recording', 'services/recording'),
      serviceTests('history', 'services/history'),
      nodeTests('gateway', 'gateway'),
      nodeTests('local', 'deploy/local', 'test/*.test.ts'),
      // The whole product, as its clients see it.
      serviceTests('product', 'deploy/local', 'test/product/*.test.ts'),
      nodeTests('embedded-mongo', 'deploy/local/embedded-mongo'),
      nodeTests('embedded-s3', 'deploy/local/embedded-s3'),
      './web/vitest.config.ts',
      './web/e2e/vitest.config.ts',
    ],
  },
});
