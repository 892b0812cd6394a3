import { buildWebWhenStale } from './build-web.ts';
import { StartProblem } from './start-problem.ts';

try {
  await buildWebWhenStale(() => console.error('  … building the web app'));
} catch (error) {
  if (!(error instanceof StartProblem)) throw error;
  console.error(error.message);
  process.exit(1);
}
