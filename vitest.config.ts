import { availableParallelism } from 'node:os';
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { routeTable } from './web/route-table.ts';

/** Files with this name start products or processes of their own. `npm run test:all` runs them, `npm test` the others. */
export const slowFiles = '**/*.slow.test.ts';

/** Common to all projects that test on Node. */
export const nodeTests = {
  // Files share a worker and the modules that it has loaded, so they mock no module, and undo what they change of the process.
  isolate: false,
  setupFiles: ['deploy/tools/test/fixed-seed.ts'],
  // Long, for busy machines; a passing test does not wait for them.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A look costs the tested processes time too.
  expect: { poll: { timeout: 15_000, interval: 100 } },
} as const;

/** Each file starts what it tests on MongoDB, Redis and S3 of the run. */
export const withServices = { ...nodeTests, globalSetup: ['deploy/tools/test/test-services.ts'] };

/** What the web app's sources have from its build. */
export const define = routeTable;

/** Tests of one running product, most of them in a browser. */
export const productTests = {
  ...nodeTests,
  globalSetup: ['web/e2e/running-product.ts'],
  testTimeout: 480_000,
  hookTimeout: 240_000,
};

/**
 * Runs one project after another, as configured: for another project, Vitest starts a new worker, which has to load everything
 * again.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = this.ctx.projects.map(({ name }) => name);
    const placeOf = ({ project }: TestSpecification) => names.indexOf(project.name);
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** A run of projects, the slowest first, so that none of its files is left to run alone at the end. */
export function runOf(projects: NonNullable<TestUserConfig['projects']>) {
  return defineConfig({
    test: {
      // Some files wait for timers. With more workers it is hardly faster, and what a busy machine keeps waiting fails.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: ProjectByProject },
      // The global set-up may have a whole product to stop.
      teardownTimeout: 60_000,
      projects,
    },
  });
}

export default runOf([
  {
    define,
    test: {
      ...productTests,
      name: 'e2e',
      include: ['web/e2e/**/*.test.ts', 'deploy/tools/test/product/*.test.ts'],
      exclude: [slowFiles],
    },
  },
  {
    test: {
      ...withServices,
      name: 'services',
      include: ['services/*/test/**/*.test.ts'],
      exclude: ['services/contracts/**', slowFiles],
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
      exclude: [slowFiles],
    },
  },
  './web/vitest.config.ts',
]);
