import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const BOOTSTRAP = fileURLToPath(new URL('../bootstrap.mjs', import.meta.url));
const DEBIAN_PACKAGES = fileURLToPath(new URL('../debian-packages.mjs', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const ENGINES = 'services/recording/src/engines';
const LOCK = {
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/b': { version: '1.0.0', optional: true },
  },
};

/** Puts a script on the PATH. Stand-ins for `apt-get` and `npm` record their arguments. */
async function addCommand(bin: string, name: string, script = ''): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, name), 0o755);
}

/**
 * A minimal checkout: the bootstrap, a lockfile, a start script that prints which Node runs it, and stand-ins for commands.
 * `npm ci` installs the packages of `got-by-npm` if that exists, else all; `apt-get install` puts commands on the PATH.
 */
async function checkout() {
  const folder = await temporaryFolder();
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await mkdir(join(folder, 'deploy/local/src'), { recursive: true });
  await cp(BOOTSTRAP, join(folder, 'deploy/local/bootstrap.mjs'));
  await cp(DEBIAN_PACKAGES, join(folder, 'deploy/local/debian-packages.mjs'));
  await cp(join(REPOSITORY, ENGINES), join(folder, ENGINES), { recursive: true });
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(LOCK));
  const said = "console.log('started', process.version.split('.')[0], process.argv.slice(2).join(' '))";
  await writeFile(join(folder, 'deploy/local/src/start.ts'), said);
  await addCommand(
    bin,
    'npm',
    `echo "npm $@" >> ${folder}/asked
     [ "$1" = ci ] || exit 3
     got=${folder}/got-by-npm; [ -f $got ] || got=${folder}/package-lock.json
     /bin/mkdir -p ${folder}/node_modules && /bin/cp $got ${folder}/node_modules/.package-lock.json`,
  );
  await addCommand(
    bin,
    'apt-get',
    `echo "apt-get $DEBIAN_FRONTEND $@" >> ${folder}/asked
     case "$*" in *install*) for name in ffmpeg ffprobe pocketsphinx_continuous redis-server; do
       echo > ${bin}/$name; /bin/chmod +x ${bin}/$name; done;; esac`,
  );
  const asked = async (): Promise<string[]> => (await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n');
  const run = async (args: string[], env: Record<string, string> = {}, before: readonly string[] = []) => {
    const [command = '', ...given] = [...before, process.execPath, join(folder, 'deploy/local/bootstrap.mjs'), ...args];
    const child = spawn(command, given, {
      env: { PATH: bin, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { output: output.trim(), errors, status };
  };
  return { folder, bin, run, asked };
}

test('a fresh checkout gets its npm and Debian packages once, then starts under Node 24', async () => {
  const { run, asked, bin } = await checkout();
  const isRoot = process.getuid?.() === 0;
  const env = isRoot ? {} : { SPEECH_ENGINE: 'openai', REDIS_URL: 'redis://x' };
  if (!isRoot) for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  const first = await run(['start'], env);
  expect(first).toMatchObject({ output: 'started v24', status: 0 });
  expect(first.errors).toMatch(/Installing npm packages/);
  const steps = await asked();
  expect(steps[0]).toBe('npm ci --include=dev --include=optional --no-audit --no-fund');
  expect(await run(['start'], env)).toMatchObject({ output: 'started v24', errors: '', status: 0 });
  expect(await asked()).toEqual(steps);
});

test.runIf(process.getuid?.() === 0)(
  'as root, the missing packages are listed with their reasons, then installed',
  async () => {
    const { run, asked, bin } = await checkout();
    await addCommand(bin, 'valkey-server');
    const { status, errors } = await run(['start'], { SPEECH_ENGINE: 'pocketsphinx' });
    expect(status).toBe(0);
    expect(errors).toMatch(
      /apt will now install these .*:\n {4}ffmpeg +reads and converts recordings\n {4}pocketsphinx +for the speech engine pocketsphinx\n[^✓]*… Reading Debian's package lists/,
    );
    const [, update, install] = await asked();
    expect(update).toBe('apt-get noninteractive -o DPkg::Lock::Timeout=120 update -q');
    expect(install).toMatch(/--no-install-recommends ffmpeg pocketsphinx( pocketsphinx-en-us)?$/);
  },
);

test.skipIf(process.getuid?.() === 0)(
  'without root, nothing is installed and the command to run is shown',
  async () => {
    const outcome = await (await checkout()).run(['start']);
    expect(outcome.status).toBe(1);
    expect(outcome.errors).toMatch(
      /\n {2}sudo apt-get update && sudo apt-get install --no-install-recommends ffmpeg redis-server.*\n/,
    );
  },
);

test('PocketSphinx is required only if there is neither a build nor a program of Whisper', async () => {
  const { folder, run, bin } = await checkout();
  for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  await rm(join(bin, 'apt-get'));
  const env = { REDIS_URL: 'redis://x' };
  const requirements = join(folder, ENGINES, 'whisper/requirements.json');
  const missing = /pocketsphinx +for the speech engine pocketsphinx/;
  await writeFile(requirements, JSON.stringify({ platforms: { 'other-machine': 'a-package' } }));
  expect((await run(['start'], env)).errors).toMatch(missing);
  await addCommand(bin, 'whisper-cli');
  expect(await run(['start'], env)).toMatchObject({ output: 'started v24', status: 0 });
  await rm(join(bin, 'whisper-cli'));
  await writeFile(requirements, '{}');
  expect(await run(['start'], env)).toMatchObject({ output: 'started v24', status: 0 });
});

test('an unreadable folder on the PATH is skipped', async () => {
  const { folder, run, bin } = await checkout();
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o000 });
  // Root can read every folder, unless it drops that capability.
  const unprivileged = process.getuid?.() === 0 ? ['/usr/bin/setpriv', '--bounding-set=-all'] : [];
  for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  const env = { PATH: [closed, bin].join(delimiter), SPEECH_ENGINE: 'openai', REDIS_URL: 'redis://x' };
  expect(await run(['start'], env, unprivileged)).toMatchObject({ output: 'started v24', status: 0 });
});

test('another engine and an external Redis need fewer packages', async () => {
  const { run, asked, bin } = await checkout();
  await addCommand(bin, 'ffmpeg');
  await addCommand(bin, 'ffprobe');
  const outcome = await run(['start', 'extra'], { SPEECH_ENGINE: 'openai', REDIS_URL: 'redis://x' });
  expect(outcome).toMatchObject({ output: 'started v24 extra', status: 0 });
  expect(await asked()).toHaveLength(1);
});

test('without apt, the packages are listed', async () => {
  const { folder, run } = await checkout();
  const bin = join(folder, 'other-bin');
  await mkdir(bin);
  await cp(join(folder, 'bin/npm'), join(bin, 'npm'));
  const outcome = await run(['start'], { PATH: bin });
  expect(outcome.status).toBe(1);
  expect(outcome.errors).toMatch(/packages are missing:\n {4}ffmpeg .*\n {4}redis-server /);
});

test('a changed lockfile triggers a new install, a missing optional package does not', async () => {
  const { folder, run, asked, bin } = await checkout();
  await addCommand(bin, 'ffmpeg');
  await addCommand(bin, 'ffprobe');
  const env = { SPEECH_ENGINE: 'openai', REDIS_URL: 'redis://x' };
  await run(['start'], env);
  const { 'node_modules/b': _optional, ...installed } = LOCK.packages;
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  await run(['start'], env);
  expect(await asked()).toHaveLength(1);
  const changed = { packages: { ...LOCK.packages, 'node_modules/a': { version: '2.0.0', integrity: 'y' } } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(changed));
  await run(['start'], env);
  expect(await asked()).toHaveLength(2);
});

/** Platform packages that are needed here, needed elsewhere, and missing a download in the lockfile. */
const binaries = (() => {
  const binding = { version: '1.0.0', integrity: 'x', optional: true, os: [process.platform], cpu: process.arch };
  const { integrity: _, ...unlisted } = binding;
  return {
    here: { 'node_modules/@rolldown/binding-here': binding },
    others: {
      'node_modules/@rolldown/binding-elsewhere': { ...binding, os: ['plan9'] },
      'node_modules/@rolldown/binding-other-libc': { ...binding, libc: ['none'] },
      'node_modules/@rolldown/binding-unlisted': unlisted,
      'node_modules/@some/tool-here': binding,
    },
  };
})();

const SPARING = { SPEECH_ENGINE: 'openai', REDIS_URL: 'redis://x' };
const wholeLock = JSON.stringify({ packages: { ...LOCK.packages, ...binaries.here, ...binaries.others } });
const withoutOthers = JSON.stringify({ packages: { ...LOCK.packages, ...binaries.here } });

test('a binary for this platform that failed to download is installed at the next start; one for another platform never is', async () => {
  const { folder, run, asked, bin } = await checkout();
  for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  await writeFile(join(folder, 'package-lock.json'), wholeLock);
  await mkdir(join(folder, 'node_modules'));
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(LOCK));
  await writeFile(join(folder, 'got-by-npm'), withoutOthers);
  expect(await run(['start'], SPARING)).toMatchObject({ output: 'started v24', status: 0 });
  expect(await run(['start'], SPARING)).toMatchObject({ output: 'started v24', errors: '', status: 0 });
  expect(await asked()).toHaveLength(1);
});

test('a failed download is reported after one attempt', async () => {
  const { folder, run, asked, bin } = await checkout();
  for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  await writeFile(join(folder, 'package-lock.json'), wholeLock);
  await writeFile(join(folder, 'got-by-npm'), JSON.stringify(LOCK));
  const outcome = await run(['start'], SPARING);
  expect(outcome).toMatchObject({ output: '', status: 1 });
  expect(outcome.errors).toMatch(
    /npm could not download @rolldown\/binding-here@1\.0\.0: check that its registry can be reached, then try again\.\n$/,
  );
  expect(await asked()).toHaveLength(1);
});

test("NODE_ENV from the user's shell is not passed on", async () => {
  const { folder, run, bin } = await checkout();
  for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  await writeFile(join(folder, 'deploy/local/src/start.ts'), 'console.log(process.env.NODE_ENV)');
  expect(await run(['start'], { ...SPARING, NODE_ENV: 'production' })).toMatchObject({
    output: 'undefined',
    status: 0,
  });
});

test.each([
  ['chromium-browser', {}, false],
  ['google-chrome', {}, false],
  ['other', { CHROMIUM: '/opt/other' }, false],
  ['other', {}, true],
])('for tests, %s on the PATH with %j: chromium is missing: %s', async (name, env, isMissing) => {
  const { folder, run, bin } = await checkout();
  await cp(new URL('../chromium-commands.json', import.meta.url), join(folder, 'deploy/local/chromium-commands.json'));
  const others = ['ffmpeg', 'ffprobe', 'pocketsphinx_continuous', 'sox', name];
  for (const command of others) await addCommand(bin, command);
  // Without apt, missing packages are only listed.
  await rm(join(bin, 'apt-get'));
  const { errors } = await run(['test'], { ...SPARING, ...env });
  for (const missing of ['firefox-esr', 'webkit2gtk-driver', 'xvfb']) expect(errors).toContain(`    ${missing} `);
  expect(errors).not.toContain('    sox ');
  if ('CHROMIUM' in env) expect(errors).not.toContain('chromium-headless-shell');
  expect(errors).toContain(
    isMissing
      ? 'Install what your system calls them, or set CHROMIUM to the path of a Chromium or Chrome, then try again.'
      : 'Install what your system calls them, then try again.',
  );
});

test('a failed step is reported with its output', async () => {
  const { run, bin } = await checkout();
  await addCommand(bin, 'npm', 'echo "network is away" >&2; exit 1');
  const outcome = await run(['start']);
  expect(outcome.status).toBe(1);
  expect(outcome.errors).toMatch(/Installing npm packages.* failed:\n\s+network is away/);
});

test('the exit status is that of the script, and an unknown command is rejected', async () => {
  const { folder, run, bin } = await checkout();
  await addCommand(bin, 'ffmpeg');
  await addCommand(bin, 'ffprobe');
  await writeFile(join(folder, 'deploy/local/src/start.ts'), 'process.exit(7)');
  expect((await run(['start'], { SPEECH_ENGINE: 'openai', REDIS_URL: 'redis://x' })).status).toBe(7);
  expect(await run(['launch'])).toMatchObject({
    status: 1,
    errors: expect.stringContaining('start, dev, test'),
  });
});

test.each(['SIGTERM', 'SIGKILL'] as const)('npm killed by %s stops what it started', async (signal) => {
  const { folder, bin } = await checkout();
  for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  const leader =
    "process.on('SIGTERM', () => { console.log('asked to stop'); process.exit(0); }); setInterval(() => {}, 1000); console.log('up');";
  await writeFile(join(folder, 'deploy/local/src/start.ts'), leader);
  const scripts = { start: 'node deploy/local/bootstrap.mjs start' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts }));
  await cp(join(folder, 'package-lock.json'), join(folder, 'node_modules/.package-lock.json'));
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env.PATH].join(':'),
      SPEECH_ENGINE: 'openai',
      REDIS_URL: 'redis://x',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: string[] = [];
  for await (const line of createInterface({ input: npm.stdout })) {
    output.push(line);
    if (line === 'up') npm.kill(signal);
  }
  expect(output).toEqual(['up', 'asked to stop']);
});

test('a supervising script stops when the bootstrap is stopped or killed', async () => {
  const { folder, bin } = await checkout();
  for (const name of ['ffmpeg', 'ffprobe']) await addCommand(bin, name);
  const leader = `process.on('disconnect', () => { console.log('alone'); process.exit(0); });
    process.on('SIGINT', () => { console.log('interrupted'); process.exit(0); });
    console.log('up');`;
  await writeFile(join(folder, 'deploy/local/src/start.ts'), leader);
  for (const [signal, expected] of [
    ['SIGINT', 'interrupted'],
    ['SIGKILL', 'alone'],
  ] as const) {
    const child = spawn(process.execPath, [join(folder, 'deploy/local/bootstrap.mjs'), 'start'], {
      env: { PATH: [bin, dirname(process.execPath)].join(':'), SPEECH_ENGINE: 'openai', REDIS_URL: 'redis://x' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output: string[] = [];
    for await (const chunk of child.stdout) {
      output.push(String(chunk).trim());
      if (output.at(-1) === 'up') child.kill(signal);
    }
    expect(output).toEqual(['up', expected]);
  }
});
