import { join } from 'node:path';
import type { Rolldown } from 'vite';

type NameFunction = Rolldown.CodeSplittingNameFunction;
type Context = Parameters<NameFunction>[1];

const start = join(import.meta.dirname, 'src/start.ts');

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
export function startChunk(): NameFunction {
  let modules: Set<string> | undefined;
  return (id, context) => {
    modules ??= staticImports(start, context);
    return modules.has(id) ? 'start' : null;
  };
}

/** Names a chunk of modules that need no schema: checking by schemas takes a library of a third of the first chunk's size. */
export function chunkWithoutSchemas(name: string): NameFunction {
  return (id, context) => {
    for (const each of staticImports(id, context)) if (/[\\/]zod[\\/]/.test(each)) return null;
    return name;
  };
}
