import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = import.meta.dirname;
const start = join(root, 'src/start.ts');

/**
 * Runs `src/start.ts` in the page as soon as it is there, before the entry that imports it too: it is small, and the entry is
 * not.
 */
export function startScript(): Plugin {
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
