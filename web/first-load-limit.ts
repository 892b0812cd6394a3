import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** The JavaScript that a visitor loads before the login page works, gzipped. */
const maxBytes = 150_000;

/** Fails the build where the entry and what it imports at once are larger than that. */
export function firstLoadLimit(): Plugin {
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
