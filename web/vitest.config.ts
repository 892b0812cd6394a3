import react from '@vitejs/plugin-react';
import { defineProject } from 'vitest/config';

export default defineProject({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/set-up.ts'],
    css: false,
    /** Formats are tested in one zone, whatever the machine's is. */
    env: { TZ: 'UTC' },
  },
});
