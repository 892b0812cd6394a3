/**
 * What the root package.json's scripts call: brings a fresh clone to where the real program can run, then runs it under
 * Node 24. Plain JavaScript on Node's own modules, since nothing else is there yet.
 *
 *     node deploy/local/bootstrap.mjs start|dev|test|bench|transcribe|assess [arguments…]
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const RUNTIME_NODE = 24;
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const inRepository = (...parts) => join(REPOSITORY, ...parts);
/** npm puts what is in here before all else: where it has a Node, that may be the one that runs this. */
const MODULES = inRepository('node_modules');

/** Something that the person at the terminal can put right: one sentence, status 1. */
class Problem extends Error {}

const isProgram = (path) => {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && (found.mode & 0o111) !== 0;
  } catch (error) {
    // A folder on the PATH that this user may not look into holds nothing for them.
    if (error.code === 'EACCES') return false;
    throw error;
  }
};

const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, name)));

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const setting = (name) => process.env[name] ?? '';
/** Debian's packages: when each is needed, how to see that it, or something as good, is there, and what else would do. */
const PACKAGES = {
  ffmpeg: { isThere: () => onPath('ffmpeg') && onPath('ffprobe') },
  'redis-server': {
    isNeeded: () => setting('REDIS_URL') === '',
    isThere: () => onPath('redis-server') || onPath('valkey-server'),
  },
  chromium: {
    isNeeded: () => setting('CHROMIUM') === '',
    isThere: () => readJson(inRepository('deploy/local/chromium-commands.json')).some(onPath),
    orElse: 'or set CHROMIUM to the path of a Chromium or Chrome',
  },
  flite: { isThere: () => onPath('flite') },
  sox: { isThere: () => onPath('sox') },
};

const PRODUCT = ['ffmpeg', 'redis-server'];
const SPEAKER = ['flite', 'sox'];
const VITEST = inRepository('node_modules/vitest/vitest.mjs');

/**
 * What each command needs and runs: scripts one after another, the last with the command line's arguments. `leads`: it
 * looks after its own processes, so that signals are passed to it and to nothing else. `engines`: whose packages are
 * needed beside, those of the chosen engine or of all.
 */
const COMMANDS = {
  start: { packages: PRODUCT, engines: 'chosen', scripts: [['deploy/local/src/start.ts']], leads: true },
  dev: { packages: PRODUCT, engines: 'chosen', scripts: [['deploy/local/src/start.ts', '--dev']], leads: true },
  test: {
    packages: [...PRODUCT, ...SPEAKER, 'chromium'],
    engines: 'all',
    scripts: [['deploy/local/src/build-web-main.ts'], [VITEST, 'run']],
  },
  bench: {
    packages: [...PRODUCT, ...SPEAKER, 'chromium'],
    engines: 'all',
    scripts: [['deploy/local/src/build-web-main.ts'], ['deploy/local/bench/main.ts']],
  },
  transcribe: { packages: ['ffmpeg'], engines: 'chosen', scripts: [['services/recording/src/try-transcribe.ts']] },
  assess: { packages: [], scripts: [['services/recording/src/try-assess.ts']] },
};

const say = (line) => process.stderr.write(`  ${line}\n`);
const major = (version) => Number(version.replace(/^v/, '').split('.')[0]);
const isNewEnough = () => major(process.version) >= RUNTIME_NODE;

/** Runs a step whose output matters only when it fails. */
const runQuietly = (what, command, args, env = process.env) => {
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
    const said = `${error.stdout ?? ''}${error.stderr ?? error.message}`.trim().split('\n').slice(-15).join('\n  ');
    throw new Problem(`${what} failed:\n  ${said}`);
  }
  say(`✓ ${what} (${((Date.now() - startedAt) / 1000).toFixed(0)} s)`);
};

const lockedPackages = (path) => (existsSync(path) ? readJson(path).packages : {});

/** What is optional for npm, being for one kind of machine each, and what the product cannot do without on its own kind. */
const BINARIES = [
  { names: /^node_modules\/node-[^/]+$/, isNeeded: () => !isNewEnough() || process.execPath.startsWith(MODULES) },
  { names: /^node_modules\/(@rolldown\/binding-|lightningcss-|@node-rs\/argon2-)[^/]+$/ },
];

/** The engines' folders; what each needs of the machine is in its requirements.json, where it needs anything. */
const ENGINES = inRepository('services/recording/src/engines');

const requirementsOf = (engine) => {
  const path = join(ENGINES, engine, 'requirements.json');
  return existsSync(path) ? readJson(path) : {};
};

/** The speech engine that the settings choose. */
const chosenEngines = () => [
  setting('SPEECH_ENGINE') || readJson(join(ENGINES, 'built-in-engines.json')).SPEECH_ENGINE[0],
];

const allEngines = () => readJson(join(ENGINES, 'built-in-engines.json')).SPEECH_ENGINE;

/** The Debian packages of engines, as in PACKAGES. */
const enginePackages = (engines) => {
  const names = { chosen: chosenEngines, all: allEngines }[engines]?.() ?? [];
  const packages = names.flatMap((name) => Object.entries(requirementsOf(name).debianPackages ?? {}));
  return Object.fromEntries(
    packages.map(([name, { program, path }]) => [
      name,
      { isThere: () => (program === undefined || onPath(program)) && (path === undefined || existsSync(path)) },
    ]),
  );
};

const allows = (names, own) => names === undefined || [names].flat().includes(own);

const libc = () => {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
};

/** Whether that optional package must be there on this machine; not where the lockfile knows no download of it. */
const isNeededHere = (path, { os, cpu, libc: libcs, integrity }) =>
  integrity !== undefined &&
  BINARIES.some(({ names, isNeeded }) => names.test(path) && (isNeeded?.() ?? true)) &&
  allows(os, process.platform) &&
  allows(cpu, process.arch) &&
  (libcs === undefined || allows(libcs, libc()));

/**
 * What node_modules lacks of what package-lock.json says. npm keeps what it installed in a lockfile of its own there,
 * written when it is done, without the optional packages that are for other machines or could not be downloaded.
 */
const outdatedModules = () => {
  const installed = lockedPackages(join(MODULES, '.package-lock.json'));
  return Object.entries(lockedPackages(inRepository('package-lock.json'))).filter(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link) return false;
    const found = installed[path];
    if (!found) return wanted.optional ? isNeededHere(path, wanted) : true;
    return found.version !== wanted.version || found.integrity !== wanted.integrity;
  });
};

const installModules = () => {
  if (outdatedModules().length === 0) return;
  const npm = process.env.npm_execpath;
  const [command, before] = npm && /\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []];
  // What builds and starts is among the development's packages: NODE_ENV and npm's own settings may leave those out.
  const all = ['--include=dev', '--include=optional'];
  runQuietly('Installing npm packages; the first time this takes a minute', command, [
    ...before,
    'ci',
    ...all,
    '--no-audit',
    '--no-fund',
  ]);
  // npm says nothing of an optional package that it could not get.
  const failed = outdatedModules().filter(([, wanted]) => wanted.optional);
  if (failed.length === 0) return;
  const names = failed.map(([path, { version }]) => `${path.replace('node_modules/', '')}@${version}`).join(', ');
  throw new Problem(`npm could not download ${names}: see that its registry can be reached, then try again.`);
};

/** This Node where it is new enough, else the one from npm. */
const findRuntime = () => {
  if (isNewEnough()) return process.execPath;
  const fromNpm = join(MODULES, '.bin/node');
  if (existsSync(fromNpm)) return fromNpm;
  throw new Problem(
    `Node ${RUNTIME_NODE} is needed, this is ${process.version}, and npm has none for ${process.platform} on ${process.arch}: install Node ${RUNTIME_NODE} or newer.`,
  );
};

const installDebianPackages = ({ packages, engines }) => {
  const ofEngines = enginePackages(engines);
  const known = { ...PACKAGES, ...ofEngines };
  const names = [...packages, ...Object.keys(ofEngines)];
  const missing = names.filter((name) => (known[name].isNeeded?.() ?? true) && !known[name].isThere());
  if (missing.length === 0) return;
  const list = missing.join(' ');
  const orElse = missing.flatMap((name) => known[name].orElse ?? []).map((other) => `, ${other}`);
  if (!onPath('apt-get'))
    throw new Problem(`Missing here: ${list}. Install what your system calls them${orElse}, then try again.`);
  if (process.getuid?.() !== 0) {
    throw new Problem(
      `Missing here: ${list}. Run this once${orElse}, then try again:\n\n  sudo apt-get update && sudo apt-get install --no-install-recommends ${list}\n`,
    );
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const patience = ['-o', 'DPkg::Lock::Timeout=120'];
  runQuietly("Reading Debian's package lists", 'apt-get', [...patience, 'update', '-q'], env);
  runQuietly(
    `Installing ${missing.join(', ')}`,
    'apt-get',
    [...patience, 'install', '-y', '-q', '--no-install-recommends', ...missing],
    env,
  );
  const still = missing.filter((name) => !known[name].isThere());
  if (still.length > 0) throw new Problem(`${still.join(', ')}: installed, but not found on the PATH.`);
};

const PARENT_POLL_MS = 500;

const readProc = (pid, file) => {
  const path = `/proc/${pid}/${file}`;
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** Who started this: npm, or the shell that npm runs a script with, and then npm behind it. */
const ancestors = () => {
  const parent = process.ppid;
  const [command, ...rest] = readProc(parent, 'stat').split(') ');
  const isNpmsShell = /\((ba|da|a)?sh$/.test(command) && readProc(parent, 'cmdline').includes('bootstrap.mjs');
  return isNpmsShell ? `${parent} ${rest.join(') ').split(' ')[1]}` : `${parent}`;
};

/**
 * Calls back once when npm, asked or made to end, is gone: it tells its shell, and that tells nobody. Only under npm: what
 * is started by hand may outlive its shell.
 */
const whenNpmIsGone = (callback) => {
  if (!process.env.npm_lifecycle_event) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    callback();
  }, PARENT_POLL_MS);
  timer.unref();
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** Runs a script under Node 24 and resolves with its exit status. */
const runScript = (runtime, [script, ...args], leads) =>
  new Promise((resolve, reject) => {
    const path = script.startsWith('/') ? script : inRepository(script);
    if (!existsSync(path)) {
      reject(new Problem(`${script} is missing: this checkout is not whole.`));
      return;
    }
    const PATH = [join(MODULES, '.bin'), process.env.PATH].join(delimiter);
    // What the user's shell has it say is about something else: tests are no production, and each process is told its own.
    const { NODE_ENV: _, ...env } = process.env;
    const child = spawn(runtime, [path, ...args], {
      cwd: leads ? REPOSITORY : process.cwd(),
      env: { ...env, PATH },
      // The channel tells a leader that this process is gone, however it went.
      stdio: leads ? ['ignore', 'inherit', 'inherit', 'ipc'] : 'inherit',
      detached: leads,
    });
    for (const signal of SIGNALS) {
      // Ctrl-C in the terminal reaches the others by itself: they are in the terminal's process group.
      process.on(signal, () => (leads || signal !== 'SIGINT' ? child.kill(signal) : undefined));
    }
    whenNpmIsGone(() => child.kill('SIGTERM'));
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve(status ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0)));
  });

const run = async ([name, ...args]) => {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) throw new Problem(`Say what to run: ${Object.keys(COMMANDS).join(', ')}.`);
  if (major(process.version) < OLDEST_NODE) {
    throw new Problem(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}.`);
  }
  installModules();
  const runtime = findRuntime();
  installDebianPackages(command);
  let status = 0;
  for (const [index, script] of command.scripts.entries()) {
    const isLast = index === command.scripts.length - 1;
    status = await runScript(runtime, isLast ? [...script, ...args] : script, command.leads ?? false);
    if (status !== 0) break;
  }
  return status;
};

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(`\n  ${error.message}`);
  process.exitCode = 1;
}
