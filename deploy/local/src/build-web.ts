import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnvironment } from './child-environment.ts';
import { REPOSITORY, StartupError } from './settings.ts';

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(join(REPOSITORY, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * A hash of the paths and contents of files, in hexadecimal: a build is stale once it differs.
 * @param folders included recursively, except for tests; missing ones count as empty
 * @param files relative to the repository, like the folders
 */
async function hashSources(folders: readonly string[], files: readonly string[]): Promise<string> {
  const found = (await Promise.all(folders.map(filesUnder))).flat();
  const hash = createHash('sha256');
  for (const path of [...found, ...files.map((file) => join(REPOSITORY, file))].toSorted()) {
    hash
      .update(`${path.slice(REPOSITORY.length)}\0`)
      .update(await readFile(path))
      .update('\0');
  }
  return hash.digest('hex');
}

/** The inputs of the web build. */
const SOURCES = ['web/src', 'web/public', 'services/contracts/src'];
const FILES = ['web/index.html', 'web/vite.config.ts', 'web/package.json', 'package-lock.json'];
const MAX_ERROR_LINES = 30;
const DIST = join(REPOSITORY, 'web/dist');
/** Stored in the build's folder, so that both are deleted together. The gateway does not serve dot files. */
const STAMP = '.sources-sha256';

async function readStamp(): Promise<string | undefined> {
  try {
    return await readFile(join(DIST, STAMP), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function replaceBuild(newBuild: string): Promise<void> {
  const before = `${newBuild}-before`;
  await rename(DIST, before).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(newBuild, DIST);
  await rm(before, { recursive: true, force: true });
}

/**
 * Builds the web app unless the existing build is up to date.
 * @param onBuild called before a build starts
 * @returns whether it was built
 * @throws StartupError with the build's output if it fails
 */
export async function buildWebWhenStale(onBuild: () => void, signal?: AbortSignal): Promise<boolean> {
  const hash = await hashSources(SOURCES, FILES);
  if ((await readStamp()) === hash) return false;
  onBuild();
  const PATH = [dirname(process.execPath), join(REPOSITORY, 'node_modules/.bin'), process.env.PATH].join(':');
  // Built in a separate folder and swapped in: a running product keeps serving the previous build meanwhile.
  const newBuild = join(REPOSITORY, `web/.dist-${process.pid}`);
  const build = spawn('npm', ['run', 'build', '--workspace', 'web', '--', '--outDir', newBuild], {
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
    const message = (errors + output).trim().split('\n').slice(0, MAX_ERROR_LINES).join('\n');
    await rm(newBuild, { recursive: true, force: true });
    throw new StartupError(`The web app could not be built:\n${message}`);
  }
  await writeFile(join(newBuild, STAMP), hash);
  await replaceBuild(newBuild);
  return true;
}
