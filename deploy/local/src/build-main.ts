import { buildWebWhenStale } from './build-web.ts';
import { compileWorkerWhenStale } from './compile-worker.ts';
import { StartupError } from './startup-error.ts';

try {
  await Promise.all([
    buildWebWhenStale(() => console.error('  … building the web app')),
    compileWorkerWhenStale(process.env),
  ]);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exit(1);
}
