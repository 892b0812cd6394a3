import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** In development the API is the gateway's: API_URL where it does not listen on its usual port. */
const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy: { '/api': { target: apiUrl } } },
  preview: { proxy: { '/api': { target: apiUrl } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    /** Read by the measurement of the JavaScript before the login page works. */
    manifest: true,
    /** Icons and fonts stay files: a content security policy need not allow data: for them. */
    assetsInlineLimit: 0,
  },
});
