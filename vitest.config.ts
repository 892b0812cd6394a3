import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A project of tests on Node. Its files share a worker and the modules that it has loaded, so they mock no module, and undo
 * what they change of the process. Timeouts are long for busy machines; a passing test does not wait for them.
 */
const nodeTests = (
  name: string,
  root: string,
  { include = 'test/**/*.test.ts', setupFiles = [] as string[] } = {},
) => ({
  test: {
    name,
    root,
    isolate: false,
    setupFiles,
    include: [include],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A look costs the tested processes time too.
    expect: { poll: { timeout: 15_000, interval: 100 } },
  },
});

/** The same, with the backing services of the global set-up running: each file starts what it tests on them. */
function serviceTests(...project: Parameters<typeof nodeTests>) {
  const { test } = nodeTests(...project);
  return {
    test: { ...test, globalSetup: [fileURLToPath(new URL('./deploy/local/src/test-services.ts', import.meta.url))] },
  };
}

/** For projects with property tests. */
const propertyTests = { setupFiles: [fileURLToPath(new URL('./deploy/local/src/fixed-seed.ts', import.meta.url))] };

/** The slowest files, slowest first. */
const SLOW_FILES = [
  'deploy/local/test/product/faults.test.ts',
  'web/e2e/accessibility.test.ts',
  'web/e2e/interview.test.ts',
  'services/recording/test/whisper-faults.test.ts',
  'services/recording/test/outages.test.ts',
  'services/recording/test/stage-failures.test.ts',
  'services/recording/test/stages.test.ts',
  'web/e2e/routes.test.ts',
  'web/e2e/practice.test.ts',
  'services/recording/test/engines/unspoken.test.ts',
  'services/recording/test/worker-killed.test.ts',
  'web/e2e/recorder.test.ts',
  'deploy/local/test/product/shared-product.test.ts',
  'deploy/local/test/product/bad-input.test.ts',
  'services/recording/test/hostile-media.test.ts',
  'deploy/local/test/backup.test.ts',
  'web/e2e/',
  'deploy/local/test/start.test.ts',
  'deploy/local/test/',
  'services/recording/',
  'services/auth/test/main.test.ts',
  'services/catalog/test/',
];

/** Starts slow files first, whichever project they are in, so that none of them is left to run alone at the end. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = SLOW_FILES.findIndex((path) => moduleId.includes(path));
      return rank === -1 ? SLOW_FILES.length : rank;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    // Test files mostly wait for servers and timers, so more of them run at once than there are cores.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: SlowestFirst },
    // The global set-up may have a whole product to stop.
    teardownTimeout: 60_000,
    projects: [
      nodeTests('contracts', 'services/contracts', propertyTests),
      serviceTests('kit', 'services/kit'),
      serviceTests('auth', 'services/auth'),
      serviceTests('catalog', 'services/catalog'),
      serviceTests('recording', 'services/recording', propertyTests),
      serviceTests('history', 'services/history'),
      nodeTests('gateway', 'gateway'),
      nodeTests('local', 'deploy/local', { include: 'test/*.test.ts' }),
      // The whole product, as its clients see it.
      serviceTests('product', 'deploy/local', { include: 'test/product/*.test.ts' }),
      nodeTests('embedded-mongo', 'deploy/local/embedded-mongo', propertyTests),
      nodeTests('embedded-s3', 'deploy/local/embedded-s3'),
      './web/vitest.config.ts',
      './web/e2e/vitest.config.ts',
    ],
  },
});
