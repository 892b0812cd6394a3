import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What the projects of tests on Node have in common. */
const nodeTests = {
  // Files share a worker and the modules that it has loaded, so they mock no module, and undo what they change of the process.
  isolate: false,
  setupFiles: ['deploy/tools/test/fixed-seed.ts'],
  // Long, for busy machines; a passing test does not wait for them.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A look costs the tested processes time too.
  expect: { poll: { timeout: 15_000, interval: 100 } },
};

/** The projects, slowest first. */
const SLOW_PROJECTS = ['e2e', 'services', 'standalone', 'web'];

/** Their slowest files, slowest first. */
const SLOW_FILES = [
  'web/e2e/interview.test.ts',
  'web/e2e/accessibility.test.ts',
  'web/e2e/every-browser/',
  'web/e2e/account-security.test.ts',
  'services/recording/test/whisper-faults.test.ts',
  'deploy/tools/test/product/faults.test.ts',
  'services/auth/test/mongo-faults.test.ts',
  'services/recording/test/hostile-media.test.ts',
  'services/recording/test/stages.test.ts',
  'services/recording/test/worker-killed.test.ts',
  'deploy/tools/test/product/',
  'services/recording/test/engines/unspoken.test.ts',
  'services/recording/test/stage-failures.test.ts',
  'services/recording/test/outages.test.ts',
  'deploy/tools/test/backup.test.ts',
  'deploy/local/test/start.test.ts',
  'deploy/local/test/supervisor.test.ts',
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
    // Some files wait for timers. With more workers it is hardly faster, and what a busy machine keeps waiting fails.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    // The global set-up may have a whole product to stop.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          ...nodeTests,
          name: 'services',
          // Each file starts what it tests on the backing services of the global set-up.
          globalSetup: ['deploy/tools/test/test-services.ts'],
          include: ['services/*/test/**/*.test.ts', 'deploy/tools/test/product/*.test.ts'],
          exclude: ['services/contracts/**'],
        },
      },
      {
        test: {
          ...nodeTests,
          name: 'standalone',
          include: [
            'services/contracts/test/**/*.test.ts',
            'gateway/test/**/*.test.ts',
            'deploy/{local,tools}/test/*.test.ts',
            'deploy/embedded/*/test/**/*.test.ts',
          ],
        },
      },
      './web/vitest.config.ts',
      './web/e2e/vitest.config.ts',
    ],
  },
});
