import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstLoadLimit } from './first-load-limit.ts';

/** In development the API is the gateway's: API_URL where it does not listen on its usual port. */
const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), firstLoadLimit()],
  server: { proxy: { '/api': { target: apiUrl } } },
  preview: { proxy: { '/api': { target: apiUrl } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    /** Read by the measurement of the JavaScript before the login page works. */
    manifest: true,
    /** Icons and fonts stay files: a content security policy need not allow data: for them. */
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Few requests: over HTTP/1.1 each round of them costs a round trip.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            // What many screens share comes in one piece with the first of them; schemas only with who checks by them.
            { name: 'screens', test: (id) => !/[\\/](zod|contracts)[\\/]/.test(id), minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
  },
});
