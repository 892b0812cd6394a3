import { buildWebWhenStale } from './build-web.ts';
import { StartupError } from './settings.ts';

try {
  await buildWebWhenStale(() => console.error('  … building the web app'));
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exit(1);
}
