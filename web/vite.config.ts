import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { routeTable } from './route-table.ts';

const root = import.meta.dirname;

/** The JavaScript that a visitor loads before the login page works, gzipped. */
const maxBytes = 150_000;

type NameFunction = Rolldown.CodeSplittingNameFunction;

type Context = Parameters<NameFunction>[1];

const start = join(import.meta.dirname, 'src/start.ts');

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

/** Every module that a module imports at once, directly or through others, and itself. */
function staticImports(id: string, context: Context): Set<string> {
  const found = new Set<string>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(context.getModuleInfo(next)?.importedIds ?? []));
  }
  return found;
}

/** Names the chunk of `src/start.ts` and of all that it needs. */
function startChunk(): NameFunction {
  let modules: Set<string> | undefined;
  return (id, context) => {
    modules ??= staticImports(start, context);
    return modules.has(id) ? 'start' : null;
  };
}

/** Names a chunk of modules that need no schema: checking by schemas takes a library of a third of the first chunk's size. */
function chunkWithoutSchemas(name: string): NameFunction {
  return (id, context) => {
    for (const each of staticImports(id, context)) if (/[\\/]zod[\\/]/.test(each)) return null;
    return name;
  };
}

/** Fails the build where the entry and what it imports at once are larger than that. */
function firstLoadLimit(): Plugin {
  return {
    name: 'first-load-limit',
    apply: 'build',
    generateBundle(_options, bundle) {
      const sizes = new Map<string, number>();
      const add = (fileName: string): void => {
        const chunk = bundle[fileName];
        if (chunk?.type !== 'chunk' || sizes.has(fileName)) return;
        sizes.set(fileName, gzipSync(chunk.code).length);
        chunk.imports.forEach(add);
      };
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) add(chunk.fileName);
      const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      if (bytes > maxBytes) {
        this.error(
          `The first load is ${bytes} bytes of gzipped JavaScript, more than ${maxBytes}: load what the login page does not need with import(). Chunks: ${[...sizes.keys()].join(', ')}`,
        );
      }
    },
  };
}

/**
 * Runs `src/start.ts` in the page as soon as it is there, before the entry that imports it too: it is small, and the entry is
 * not.
 */
function startScript(): Plugin {
  return {
    name: 'start-script',
    apply: 'build',
    config: () => ({ build: { rolldownOptions: { input: { index: join(root, 'index.html'), start } } } }),
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId === start);
        if (!chunk) throw new Error('The build has no chunk of src/start.ts');
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${chunk.fileName}` };
        return [{ tag: 'script', attrs, injectTo: 'head' }];
      },
    },
  };
}
