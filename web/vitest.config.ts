import react from '@vitejs/plugin-react';
import { defineProject } from 'vitest/config';

export default defineProject({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    /** Nothing moves in tests: what is opened is there at once. */
    environmentOptions: { happyDOM: { settings: { device: { prefersReducedMotion: 'reduce' } } } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/set-up.ts'],
    css: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    /** Formats are tested in one zone, whatever the machine's is. */
    env: { TZ: 'UTC' },
  },
});
