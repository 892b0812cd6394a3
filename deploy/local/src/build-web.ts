import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnvironment } from './child-environment.ts';
import { REPOSITORY } from './settings.ts';
import { StartupError } from './startup-error.ts';

/** What the built web app is made of. */
const SOURCES = ['web/src', 'web/public', 'services/contracts/src'];
const FILES = ['web/index.html', 'web/vite.config.ts', 'web/package.json', 'package-lock.json'];
const MAX_ERROR_LINES = 30;
const DIST = join(REPOSITORY, 'web/dist');
/** Within the build, so that it is gone when the build is; a dot file is not served. */
const STAMP = '.sources-sha256';

const filesUnder = async (folder: string): Promise<string[]> => {
  const entries = await readdir(join(REPOSITORY, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
};

const hashSources = async (): Promise<string> => {
  const found = (await Promise.all(SOURCES.map(filesUnder))).flat();
  const hash = createHash('sha256');
  for (const path of [...found, ...FILES.map((file) => join(REPOSITORY, file))].toSorted()) {
    hash
      .update(`${path.slice(REPOSITORY.length)}\0`)
      .update(await readFile(path))
      .update('\0');
  }
  return hash.digest('hex');
};

const readStamp = async (): Promise<string | undefined> => {
  try {
    return await readFile(join(DIST, STAMP), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const putInPlace = async (made: string): Promise<void> => {
  const before = `${made}-before`;
  await rename(DIST, before).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(made, DIST);
  await rm(before, { recursive: true, force: true });
};

/**
 * Builds the web app unless it was built from the very sources that are there. Resolves with whether it did.
 * @param onBuild told before it begins
 */
export const buildWebWhenStale = async (onBuild: () => void, signal?: AbortSignal): Promise<boolean> => {
  const hash = await hashSources();
  if ((await readStamp()) === hash) return false;
  onBuild();
  const PATH = [dirname(process.execPath), join(REPOSITORY, 'node_modules/.bin'), process.env.PATH].join(':');
  // Made beside and put in place whole: a product that is running meanwhile goes on serving the one before.
  const made = join(REPOSITORY, `web/.dist-${process.pid}`);
  const build = spawn('npm', ['run', 'build', '--workspace', 'web', '--', '--outDir', made], {
    cwd: REPOSITORY,
    env: childEnvironment({ PATH, NO_COLOR: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal, killSignal: 'SIGTERM' as const }),
  });
  const [output, errors, code] = await Promise.all([
    text(build.stdout),
    text(build.stderr),
    once(build, 'close').then(([status]) => status as number | null),
  ]);
  if (code !== 0) {
    const said = (output + errors).trim().split('\n').slice(0, MAX_ERROR_LINES).join('\n');
    await rm(made, { recursive: true, force: true });
    throw new StartupError(`The web app could not be built:\n${said}`);
  }
  await writeFile(join(made, STAMP), hash);
  await putInPlace(made);
  return true;
};
