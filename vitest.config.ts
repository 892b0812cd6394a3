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

/** The projects that take longest, longest first. */
const SLOW_PROJECTS = ['e2e', 'recording', 'local', 'product', 'auth'];

/** Their slowest files. */
const SLOW_FILES = [
  'web/e2e/interview.test.ts',
  'web/e2e/accessibility.test.ts',
  'web/e2e/every-browser/',
  'web/e2e/account-security.test.ts',
  'services/recording/test/whisper-faults.test.ts',
  'services/recording/test/hostile-media.test.ts',
  'services/recording/test/stages.test.ts',
  'services/recording/test/worker-killed.test.ts',
  'services/recording/test/engines/unspoken.test.ts',
  'services/recording/test/stage-failures.test.ts',
  'services/recording/test/outages.test.ts',
  'deploy/local/test/backup.test.ts',
  'deploy/local/test/start.test.ts',
  'deploy/local/test/supervisor.test.ts',
  'deploy/local/test/product/faults.test.ts',
  'services/auth/test/mongo-faults.test.ts',
];

/** The place of an entry in a list, or after its end. */
function rankIn(list: readonly string[], matches: (entry: string) => boolean): number {
  const rank = list.findIndex(matches);
  return rank === -1 ? list.length : rank;
}

/**
 * Starts slow files first, so that none of them is left to run alone at the end. The files of a project follow each other:
 * for another project, Vitest starts a new worker, which has to load everything again.
 */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranksOf = ({ project, moduleId }: TestSpecification) => ({
      ofProject: rankIn(SLOW_PROJECTS, (name) => name === project.name),
      project: project.name,
      ofFile: rankIn(SLOW_FILES, (path) => moduleId.includes(path)),
    });
    return (await super.sort(files)).toSorted((one, other) => {
      const [a, b] = [ranksOf(one), ranksOf(other)];
      return a.ofProject - b.ofProject || a.project.localeCompare(b.project) || a.ofFile - b.ofFile;
    });
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
