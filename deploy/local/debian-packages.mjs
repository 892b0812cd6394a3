import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// For bootstrap.mjs: plain JavaScript with only Node's own modules, since nothing else is installed yet.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

function isProgram(path) {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && (found.mode & 0o111) !== 0;
  } catch (error) {
    // A folder on the PATH that this user cannot read.
    if (error.code === 'EACCES') return false;
    throw error;
  }
}

/** Whether any architecture-specific library folder contains this file. */
const inLibraries = (file) =>
  existsSync('/usr/lib') && readdirSync('/usr/lib').some((folder) => existsSync(join('/usr/lib', folder, file)));

/** Whether a program is on the PATH. */
export function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => folder !== '' && isProgram(join(folder, name)));
}

/** The Debian release number; 0 on other systems. */
function debianVersion() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID=debian$/m.test(release) ? Number(/^VERSION_ID="?(\d+)/m.exec(release)?.[1] ?? 0) : 0;
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const setting = (name) => process.env[name] ?? '';

/**
 * Debian packages by name. `why`: shown before the installation. `isNeeded`: false if a setting makes it unnecessary.
 * `isThere`: whether it, or an equivalent, is installed. `orElse`: an alternative way to provide it.
 */
const PACKAGES = {
  ffmpeg: { why: 'reads and converts recordings', isThere: () => onPath('ffmpeg') && onPath('ffprobe') },
  'redis-server': {
    why: 'holds the job queues',
    isNeeded: () => setting('REDIS_URL') === '',
    isThere: () => onPath('redis-server') || onPath('valkey-server'),
  },
  chromium: {
    why: 'the browser that tests and benchmarks drive',
    isNeeded: () => setting('CHROMIUM') === '',
    isThere: () => readJson(join(REPOSITORY, 'deploy/local/chromium-commands.json')).some(onPath),
    orElse: 'or set CHROMIUM to the path of a Chromium or Chrome',
  },
  'chromium-headless-shell': {
    why: 'the same without windows, for most browser tests, at two thirds of the cost',
    isNeeded: () => setting('CHROMIUM') === '' && debianVersion() >= 12,
    isThere: () => onPath('chromium-headless-shell'),
  },
  'firefox-esr': { why: 'the second browser that tests drive', isThere: () => ['firefox-esr', 'firefox'].some(onPath) },
  'webkit2gtk-driver': { why: "WebKit, Safari's engine, for tests", isThere: () => onPath('WebKitWebDriver') },
  gjs: { why: "opens WebKit's window", isThere: () => onPath('gjs') },
  'gir1.2-webkit2-4.1': {
    why: "opens WebKit's window",
    isThere: () => inLibraries('girepository-1.0/WebKit2-4.1.typelib'),
  },
  'gstreamer1.0-plugins-bad': {
    why: 'records in WebKit',
    isThere: () => inLibraries('gstreamer-1.0/libgsttranscode.so'),
  },
  'gstreamer1.0-libav': {
    why: 'plays recordings in WebKit',
    isThere: () => inLibraries('gstreamer-1.0/libgstlibav.so'),
  },
  xvfb: { why: "the screen for WebKit's window", isThere: () => onPath('Xvfb') },
  flite: { why: 'speaks the answers in tests and benchmarks', isThere: () => onPath('flite') },
  sox: { why: 'prepares sound for the fake microphone', isThere: () => onPath('sox') },
};

/** Packages that the product itself needs. */
export const PRODUCT = ['ffmpeg', 'redis-server'];
/** Packages that generate speech for tests and benchmarks. */
export const SPEAKER = ['flite', 'sox'];
/** Packages for Chromium, Firefox and WebKit. */
export const BROWSERS = [
  'chromium',
  'chromium-headless-shell',
  'firefox-esr',
  'webkit2gtk-driver',
  'gjs',
  'gir1.2-webkit2-4.1',
  'gstreamer1.0-plugins-bad',
  'gstreamer1.0-libav',
  'xvfb',
];
/** The C library of this machine's Node: 'glibc' or 'musl'. */
export function libc() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** The engines' folders. Each engine lists the programs it needs in its requirements.json. */
const ENGINES = join(REPOSITORY, 'services/recording/src/engines');

function requirementsOf(engine) {
  const path = join(ENGINES, engine, 'requirements.json');
  return existsSync(path) ? readJson(path) : {};
}

const builtInEngines = () => readJson(join(ENGINES, 'built-in-engines.json')).SPEECH_ENGINE;

/** Whether an engine can run here once its Debian packages are installed: its npm package has a build, and its programs exist. */
function canRun(engine) {
  const { platforms, programs = [] } = requirementsOf(engine);
  const machine = [process.platform, process.arch, ...(process.platform === 'linux' ? [libc()] : [])].join('-');
  return (platforms === undefined || machine in platforms) && programs.every(onPath);
}

/** The speech engine to use: the chosen one, or the next built-in one that can run here. */
function servingEngines() {
  const chosen = setting('SPEECH_ENGINE') || builtInEngines()[0];
  const rank = builtInEngines().indexOf(chosen);
  return rank < 0 ? [chosen] : builtInEngines().slice(rank).filter(canRun).slice(0, 1);
}

/** The engines' Debian packages, in the form of PACKAGES. */
function enginePackages(engines) {
  const names = { chosen: servingEngines, all: builtInEngines }[engines]?.() ?? [];
  const packages = names.flatMap((engine) =>
    Object.entries(requirementsOf(engine).debianPackages ?? {}).map(([name, { program, path }]) => [
      name,
      {
        why: `for the speech engine ${engine}`,
        isThere: () => (program === undefined || onPath(program)) && (path === undefined || existsSync(path)),
      },
    ]),
  );
  return Object.fromEntries(packages);
}

/**
 * The packages that a command needs and this machine lacks.
 * @param engines whose packages to include: 'chosen', 'all', or undefined for none
 * @returns each with `name`, `why`, `isThere` and optionally `orElse`, as in PACKAGES
 */
export function missingPackages({ packages, engines }) {
  const ofEngines = enginePackages(engines);
  const known = { ...PACKAGES, ...ofEngines };
  return [...packages, ...Object.keys(ofEngines)]
    .map((name) => ({ name, ...known[name] }))
    .filter(({ isNeeded, isThere }) => (isNeeded?.() ?? true) && !isThere());
}
