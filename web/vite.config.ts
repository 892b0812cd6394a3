import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkWithoutSchemas, startChunk } from './chunk-groups.ts';
import { firstLoadLimit } from './first-load-limit.ts';
import { routeTable } from './route-table.ts';
import { startScript } from './start-script.ts';

/** In development the API is the gateway's: API_URL where it does not listen on its usual port. */
const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8080';

/** Small modules that several screens import. */
const parts =
  /[\\/](?:icons|contracts|interview-sets|@mantine[\\/]hooks|use-mantine-color-scheme|Pagination|web[\\/]src[\\/](?:lib|components(?![\\/]second-factor)))[\\/.]/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), startScript(), firstLoadLimit()],
  define: routeTable,
  resolve: { alias: [{ find: /^fflate$/, replacement: `${import.meta.dirname}/src/lib/zip-in-page.ts` }] },
  server: { proxy: { '/api': { target: apiUrl } } },
  preview: { proxy: { '/api': { target: apiUrl } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    /** Read by the measurement of the JavaScript before the login page works. */
    manifest: true,
    /** Icons and fonts stay files: a content security policy need not allow data: for them. */
    assetsInlineLimit: 0,
    /** One style sheet: those of screens are small, and each would be a request. */
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // Few requests: over HTTP/1.1 a browser sends six at a time, so each six of them cost a round trip.
        codeSplitting: {
          groups: [
            { name: startChunk(), debugName: 'start', priority: 3 },
            { name: 'first', tags: ['$initial'], priority: 2 },
            // What many screens share comes in one piece with the first of them.
            { name: chunkWithoutSchemas('screens'), debugName: 'screens', minShareCount: 6, priority: 1 },
            { name: chunkWithoutSchemas('parts'), debugName: 'parts', test: parts, minShareCount: 2 },
            { name: 'answering', test: /[\\/]answering[\\/]/, minShareCount: 2 },
            { name: 'history', test: /[\\/]history[\\/](?:list|summary|delivery)[\\/]/, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
