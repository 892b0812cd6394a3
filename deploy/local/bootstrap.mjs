/**
 * Entry point of the scripts in the root package.json. Installs what a fresh clone lacks, then runs the actual program under
 * Node 24. Plain JavaScript with only Node's own modules, since nothing else is installed yet.
 *
 *     node deploy/local/bootstrap.mjs COMMAND [arguments…]        COMMAND: a name in COMMANDS below
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BROWSERS, libc, missingPackages, onPath, PRODUCT, SPEAKER } from './debian-packages.mjs';

const OLDEST_NODE = 20;
const RUNTIME_NODE = 24;
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const inRepository = (...parts) => join(REPOSITORY, ...parts);
/** npm puts its binaries first on the PATH, so this may be running on the Node from node_modules. */
const MODULES = inRepository('node_modules');

/** A failure that the user can fix: the message is printed, and the exit status is 1. */
class StartupError extends Error {}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const VITEST = inRepository('node_modules/vitest/vitest.mjs');

const TEST = {
  packages: [...PRODUCT, ...SPEAKER, ...BROWSERS],
  engines: 'all',
  scripts: [['deploy/local/src/build-main.ts'], [VITEST, 'run']],
};

/**
 * The requirements and scripts of each command. Scripts run one after another; the last gets the command line's arguments.
 * `supervises`: the script manages processes of its own, so signals go only to it. `engines`: install the Debian packages of
 * the chosen speech engine, or of all of them.
 */
const COMMANDS = {
  start: { packages: PRODUCT, engines: 'chosen', scripts: [['deploy/local/src/start.ts']], supervises: true },
  dev: { packages: PRODUCT, engines: 'chosen', scripts: [['deploy/local/src/start.ts', '--dev']], supervises: true },
  test: TEST,
  'test:all': { ...TEST, scripts: [TEST.scripts[0], [VITEST, 'run', '--config', 'vitest.slow.config.ts']] },
  bench: {
    packages: [...PRODUCT, ...SPEAKER, 'chromium'],
    engines: 'all',
    scripts: [['deploy/local/src/build-main.ts'], ['deploy/tools/bench/main.ts']],
  },
  faults: {
    packages: PRODUCT,
    engines: 'chosen',
    scripts: [['deploy/local/src/build-main.ts'], ['deploy/tools/faults/main.ts']],
  },
  load: {
    packages: [...PRODUCT, ...SPEAKER],
    scripts: [['deploy/local/src/build-main.ts'], ['deploy/tools/load/main.ts']],
  },
  fuzz: {
    packages: PRODUCT,
    scripts: [['deploy/local/src/build-main.ts'], ['deploy/tools/fuzz/main.ts']],
  },
  attack: {
    packages: [...PRODUCT, ...SPEAKER],
    engines: 'chosen',
    scripts: [['deploy/local/src/build-main.ts'], ['deploy/tools/attack/main.ts']],
  },
  migrate: { packages: [], scripts: [['deploy/tools/migrate/migrate.ts']] },
  backup: { packages: [], scripts: [['deploy/tools/backup/run-backup.ts']] },
  restore: { packages: ['redis-server'], scripts: [['deploy/tools/backup/run-restore.ts']] },
  'check-audit': { packages: [], scripts: [['deploy/tools/audit/check-audit.ts']] },
  'check-deletions': { packages: ['redis-server'], scripts: [['deploy/tools/deletions/check-deletions.ts']] },
  'keys:rotate': { packages: [], scripts: [['deploy/tools/keys/rotate-keys.ts']] },
  'secrets:rotate': { packages: [], scripts: [['deploy/tools/keys/rotate-secrets.ts']] },
  sbom: { packages: [], scripts: [['deploy/tools/sbom/write-sbom.ts']] },
  documents: { packages: [], scripts: [['deploy/tools/documents/check-documents.ts']] },
  transcribe: { packages: ['ffmpeg'], engines: 'chosen', scripts: [['services/recording/src/try-transcribe.ts']] },
  calibrate: { packages: [], scripts: [['deploy/tools/calibrate/calibrate.ts']] },
  assess: { packages: [], scripts: [['services/recording/src/try-assess.ts']] },
};

const say = (line) => process.stderr.write(`  ${line}\n`);
const major = (version) => Number(version.replace(/^v/, '').split('.')[0]);
const isNewEnough = () => major(process.version) >= RUNTIME_NODE;

/** Runs a step and shows its output only if it fails. */
function runQuietly(what, command, args, env = process.env) {
  const startedAt = Date.now();
  say(`… ${what}`);
  try {
    execFileSync(command, args, {
      cwd: REPOSITORY,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const output = `${error.stdout ?? ''}${error.stderr ?? error.message}`.trim().split('\n').slice(-15).join('\n  ');
    throw new StartupError(`${what} failed:\n  ${output}`);
  }
  say(`✓ ${what} (${((Date.now() - startedAt) / 1000).toFixed(0)} s)`);
}

const lockedPackages = (path) => (existsSync(path) ? readJson(path).packages : {});

/** Packages with platform-specific binaries. npm treats them as optional, but the product needs those of its platform. */
const BINARIES = [
  { names: /^node_modules\/node-[^/]+$/, isNeeded: () => !isNewEnough() || process.execPath.startsWith(MODULES) },
  { names: /^node_modules\/(@rolldown\/binding-|lightningcss-|@node-rs\/argon2-|@napi-rs\/whisper-)[^/]+$/ },
];

const allows = (names, own) => names === undefined || [names].flat().includes(own);

/** Whether this machine needs that optional package. Packages without a download in the lockfile are never needed. */
const isNeededHere = (path, { os, cpu, libc: libcs, integrity }) =>
  integrity !== undefined &&
  BINARIES.some(({ names, isNeeded }) => names.test(path) && (isNeeded?.() ?? true)) &&
  allows(os, process.platform) &&
  allows(cpu, process.arch) &&
  (libcs === undefined || allows(libcs, libc()));

/**
 * The entries of package-lock.json that node_modules lacks. npm records what it installed in a lockfile of its own there,
 * written last. It omits optional packages for other platforms and those that failed to download.
 */
function outdatedModules() {
  const installed = lockedPackages(join(MODULES, '.package-lock.json'));
  return Object.entries(lockedPackages(inRepository('package-lock.json'))).filter(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link) return false;
    const found = installed[path];
    if (!found) return wanted.optional ? isNeededHere(path, wanted) : true;
    return found.version !== wanted.version || found.integrity !== wanted.integrity;
  });
}

function installModules() {
  if (outdatedModules().length === 0) return;
  const npm = process.env.npm_execpath;
  const [command, before] = npm && /\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []];
  // The build needs the dev dependencies, which NODE_ENV or npm's configuration may omit.
  const all = ['--include=dev', '--include=optional'];
  runQuietly('Installing npm packages; the first time this takes a minute', command, [
    ...before,
    'ci',
    ...all,
    '--no-audit',
    '--no-fund',
  ]);
  // npm does not report optional packages that failed to download.
  const failed = outdatedModules().filter(([, wanted]) => wanted.optional);
  if (failed.length === 0) return;
  const names = failed.map(([path, { version }]) => `${path.replace('node_modules/', '')}@${version}`).join(', ');
  throw new StartupError(`npm could not download ${names}: check that its registry can be reached, then try again.`);
}

/** This Node if it is new enough, otherwise the one from npm. */
function findRuntime() {
  if (isNewEnough()) return process.execPath;
  const fromNpm = join(MODULES, '.bin/node');
  if (existsSync(fromNpm)) return fromNpm;
  throw new StartupError(
    `Node ${RUNTIME_NODE} is needed, this is ${process.version}, and npm has none for ${process.platform} on ${process.arch}: install Node ${RUNTIME_NODE} or newer.`,
  );
}

/**
 * Lists the missing Debian packages with reasons, then installs them.
 * @throws StartupError without root or apt; then nothing is installed
 */
function installDebianPackages(command) {
  const missing = missingPackages(command);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const list = missing.map(({ name, why }) => `    ${name.padEnd(20)} ${why}`).join('\n');
  const orElse = missing.flatMap((one) => one.orElse ?? []).map((other) => `, ${other}`);
  if (!onPath('apt-get')) {
    throw new StartupError(
      `These packages are missing:\n${list}\n\n  Install what your system calls them${orElse}, then try again.`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new StartupError(
      `These Debian packages are missing, and only root can install them:\n${list}\n\n  Run this once${orElse}, then try again:\n\n  sudo apt-get update && sudo apt-get install --no-install-recommends ${names.join(' ')}\n`,
    );
  }
  say(`apt will now install these Debian packages and their dependencies:\n${list}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const lockTimeout = ['-o', 'DPkg::Lock::Timeout=120'];
  runQuietly("Reading Debian's package lists", 'apt-get', [...lockTimeout, 'update', '-q'], env);
  runQuietly(
    `Installing ${names.join(', ')}`,
    'apt-get',
    [...lockTimeout, 'install', '-y', '-q', '--no-install-recommends', ...names],
    env,
  );
  const lacking = missing.filter(({ isThere }) => !isThere()).map(({ name }) => name);
  if (lacking.length > 0) throw new StartupError(`${lacking.join(', ')}: installed, but not found on the PATH.`);
}

const PARENT_POLL_MS = 500;

function readProc(pid, file) {
  const path = `/proc/${pid}/${file}`;
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The ids of the parent processes: npm, or npm's shell and npm. */
function ancestors() {
  const parent = process.ppid;
  const [command, ...rest] = readProc(parent, 'stat').split(') ');
  const isNpmsShell = /\((ba|da|a)?sh$/.test(command) && readProc(parent, 'cmdline').includes('bootstrap.mjs');
  return isNpmsShell ? `${parent} ${rest.join(') ').split(' ')[1]}` : `${parent}`;
}

/**
 * Calls back once when npm has exited. npm signals only its shell, which doesn't forward the signal. Does nothing without
 * npm: a process started by hand may outlive its shell.
 */
function onNpmExit(callback) {
  if (!process.env.npm_lifecycle_event) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    callback();
  }, PARENT_POLL_MS);
  timer.unref();
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** Runs a script under Node 24. Resolves with its exit status. */
function runScript(runtime, [script, ...args], supervises) {
  return new Promise((resolve, reject) => {
    const path = script.startsWith('/') ? script : inRepository(script);
    if (!existsSync(path)) {
      reject(new StartupError(`${script} is missing: this checkout is incomplete.`));
      return;
    }
    const PATH = [join(MODULES, '.bin'), process.env.PATH].join(delimiter);
    // NODE_ENV is dropped: the supervisor sets it for each process.
    const { NODE_ENV: _, ...env } = process.env;
    const child = spawn(runtime, [path, ...args], {
      cwd: supervises ? REPOSITORY : process.cwd(),
      // Caches compiled sources: every process after the first starts in about half the CPU time.
      env: { NODE_COMPILE_CACHE: join(MODULES, '.cache/node-compile'), ...env, PATH },
      // The IPC channel closes when this process exits for any reason, which stops a supervisor.
      stdio: supervises ? ['ignore', 'inherit', 'inherit', 'ipc'] : 'inherit',
      detached: supervises,
    });
    for (const signal of SIGNALS) {
      // Ctrl-C reaches other scripts directly: they are in the terminal's process group.
      process.on(signal, () => (supervises || signal !== 'SIGINT' ? child.kill(signal) : undefined));
    }
    onNpmExit(() => child.kill('SIGTERM'));
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve(status ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0)));
  });
}

async function run([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) throw new StartupError(`Name a command to run: ${Object.keys(COMMANDS).join(', ')}.`);
  if (major(process.version) < OLDEST_NODE) {
    throw new StartupError(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}.`);
  }
  installModules();
  const runtime = findRuntime();
  installDebianPackages(command);
  let status = 0;
  for (const [index, script] of command.scripts.entries()) {
    const isLast = index === command.scripts.length - 1;
    status = await runScript(runtime, isLast ? [...script, ...args] : script, command.supervises ?? false);
    if (status !== 0) break;
  }
  return status;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(`\n  ${error.message}`);
  process.exitCode = 1;
}
