import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineProject } from 'vitest/config';
import { routeTable } from './route-table.ts';

export default defineProject({
  root: import.meta.dirname,
  plugins: [react()],
  define: routeTable,
  test: {
    name: 'web',
    environment: 'happy-dom',
    // No animations: an opened menu or dialog is there at once.
    environmentOptions: { happyDOM: { settings: { device: { prefersReducedMotion: 'reduce' } } } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/set-up.ts', '../deploy/tools/test/fixed-seed.ts'],
    css: false,
    // Files share a worker: set-up.ts clears the page and the storage after each test. Loading React and Mantine once halves the time.
    isolate: false,
    // As in the root configuration: projects that run side by side must agree.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One time zone, whatever the machine's is.
    env: { TZ: 'UTC' },
  },
});
