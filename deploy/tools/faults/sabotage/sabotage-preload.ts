/** Loaded before a Node program (`node --import 'sabotage-preload.ts?name=outbox'`): applies a sabotage to the sources it loads. */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '@interview-prep/local/settings';
import { applySabotage, sabotages } from './sabotages.ts';

const chosen = sabotages[new URL(import.meta.url).searchParams.get('name') ?? ''];
if (!chosen) throw new Error('No such sabotage');

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const sabotage = chosen.find(({ file }) => url.startsWith('file:') && fileURLToPath(url) === REPOSITORY + file);
    if (!sabotage) return loaded;
    return { ...loaded, source: applySabotage(sabotage, String(loaded.source)) };
  },
});
