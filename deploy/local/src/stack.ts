import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FirstUsersReport,
  firstUsersReport,
  mailErasure,
} from '@interview-prep/contracts/events/supervisor-messages';
import { unknownSettings } from '@interview-prep/kit/process/config';
import { startBackingServices } from './backing-services.ts';
import { childEnvironment } from './child-environment.ts';
import {
  dataFolderError,
  ensureDemoPassword,
  keepSecrets,
  prepareDataFolder,
  removeFolder,
  resolveSeed,
  type Seed,
} from './data-folder.ts';
import { findFreePorts, requireFreePort } from './free-ports.ts';
import { startMailCatcher } from './mail-catcher.ts';
import { type GatewaySecrets, type ProcessName, type ProductContext, productProcess } from './product-processes.ts';
import { answersHttp } from './readiness.ts';
import { deleteAddresses, saveAddresses } from './running-addresses.ts';
import {
  type Environment,
  publicUrl,
  REPOSITORY,
  readSettings,
  type Settings,
  StartupError,
  withSettingFiles,
} from './settings.ts';
import type { ProcessEvent, ProcessSpec } from './supervised-process.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

/** Vite's development server for the web app, on loopback, proxied by the gateway. */
function webDevServer(port: number, gatewayPort: number): { url: string; spec: ProcessSpec } {
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    spec: {
      name: 'web',
      command: process.execPath,
      args: [
        join(REPOSITORY, 'node_modules/vite/bin/vite.js'),
        join(REPOSITORY, 'web'),
        '--config',
        join(REPOSITORY, 'web/vite.config.ts'),
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--strictPort',
        '--clearScreen',
        'false',
      ],
      env: childEnvironment({ NODE_ENV: 'development', API_URL: `http://127.0.0.1:${gatewayPort}` }),
      isReady: () => answersHttp(`${url}/`),
    },
  };
}

export type StackEvent =
  | ProcessEvent
  | { kind: 'waiting'; dataDir: string }
  | { kind: 'unknown setting'; message: string }
  | { kind: 'mail'; url: string }
  | { kind: 'mail is caught' }
  | { kind: 'seed changed'; seed: Seed; dataDir: string }
  | { kind: 'password kept'; dataDir: string };

export interface StackOptions {
  /** The settings of `npm start`: PORT (0 chooses a free one), HOST, DATA_DIR, SEED, MONGODB_URI… */
  env: Environment;
  /** Restart processes when their sources change, and serve the web app from a development server. */
  watch?: boolean;
  onEvent?: (event: StackEvent) => void;
  /** Called once the data folder is locked and the port is free, before anything starts: builds the web app. */
  prepare?: () => Promise<unknown>;
  /** Aborts a start in progress. `startStack` then rejects once everything has stopped. */
  signal?: AbortSignal;
  /**
   * For tests: starts a replica of each process from each of these checkouts, and opens a load balancer in front of them.
   * `inTurn`: the other checkouts' replicas start once all of the first are ready, as in a rolling upgrade.
   */
  replicas?: {
    roots: readonly string[];
    inTurn: boolean;
    openFront: (port: number, copies: readonly number[]) => Promise<() => Promise<void>>;
  };
  /** Called as soon as there is something to kill. */
  onSupervisor?: (supervisor: Pick<Supervisor, 'kill'>) => void;
}

export interface Stack {
  /** The product's URL: `http://127.0.0.1:8080`. */
  url: string;
  /** The demonstration logins that still work: without users who changed their password. None with SEED=none. */
  demo: { emails: readonly string[]; password: string };
  /** The single-use link for the first admin's password; undefined if there is an admin already. */
  setUpLink: string | undefined;
  /** The page of caught mail; `<mailUrl>messages` is the list as JSON. Undefined with SMTP_URL. */
  mailUrl: string | undefined;
  /** The port of each process, or of its load balancer, for measurements that bypass the gateway. */
  ports: Readonly<Record<ProcessName, number>>;
  /** For such measurements to sign the tokens that the gateway would send. */
  gatewaySecrets: GatewaySecrets;
  /** Stops everything in order, within ten seconds. */
  stop(): Promise<void>;
}

/** The processes that start at the same time as auth. */
const PARALLEL_TO_AUTH: readonly ProcessName[] = ['catalog', 'recording', 'worker', 'history'];
const PROCESS_NAMES: readonly ProcessName[] = ['auth', ...PARALLEL_TO_AUTH, 'gateway'];

/** PORT for the gateway, or a free port if it is 0; free ports for all others. */
async function choosePorts({ PORT, HOST }: Settings): Promise<Stack['ports'] & { webDev: number }> {
  await requireFreePort(PORT, HOST);
  const [webDev = 0, ...free] = await findFreePorts(1 + PROCESS_NAMES.length);
  const ports = Object.fromEntries(PROCESS_NAMES.map((name, index) => [name, free[index]])) as Stack['ports'];
  return { ...ports, webDev, gateway: PORT === 0 ? ports.gateway : PORT };
}

/** Removes temporary files of a killed process. */
async function emptyFolder(path: string): Promise<string> {
  await removeFolder(path);
  await mkdir(path, { recursive: true });
  return path;
}

/**
 * Starts the whole product on one data folder. Resolves when every process is ready. The web app must be built by then,
 * by `prepare` at the latest.
 * @throws StartupError with one sentence for the user, after stopping whatever had started
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { watch = false, onEvent = () => undefined, prepare } = options;
  const env = withSettingFiles(options.env);
  const settings = readSettings(env);
  const { DATA_DIR: dataDir } = settings;
  for (const message of unknownSettings(options.env)) onEvent({ kind: 'unknown setting', message });
  const logDir = join(dataDir, 'logs');
  await prepareDataFolder(dataDir);
  // Lock first: another instance may still be stopping, and using the port.
  const supervisor = await createSupervisor({
    logDir,
    lockFile: join(dataDir, 'lock'),
    onEvent,
    onWait: () => onEvent({ kind: 'waiting', dataDir }),
  });
  options.onSupervisor?.(supervisor);
  // A killed instance leaves its addresses behind.
  await deleteAddresses(dataDir);
  const closers = [() => deleteAddresses(dataDir), () => supervisor.stop()];
  let stopped: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (const close of closers) await close();
  };
  const stop = (): Promise<void> => {
    stopped ??= stopAll();
    return stopped;
  };
  const abort = () => void supervisor.stop();
  options.signal?.addEventListener('abort', abort);
  if (options.signal?.aborted) abort();

  try {
    const ports = await choosePorts(settings);
    settings.PORT = ports.gateway;
    const secrets = await keepSecrets(dataDir);
    const spoolDir = await emptyFolder(join(dataDir, 'spool'));
    await prepare?.();
    if (!watch && !existsSync(join(REPOSITORY, 'web/dist/index.html'))) {
      throw new StartupError('The web app is not built: run "npm run build" first.');
    }
    const mail = settings.SMTP_URL ? undefined : await startMailCatcher(join(dataDir, 'mail'), secrets.mailPath);
    if (mail) {
      closers.push(() => mail.close());
      onEvent({ kind: 'mail', url: mail.url });
    }
    const backing = await startBackingServices(supervisor, { dataDir, secrets, env });
    await saveAddresses(dataDir, backing);
    const { DEMO_PASSWORD: wantedPassword } = settings;
    // Both are stored in the data folder. Settings that differ from it are reported.
    const { seed, before } = await resolveSeed(dataDir, settings.SEED);
    if (mail && seed === 'none') onEvent({ kind: 'mail is caught' });
    if (before && before !== seed) onEvent({ kind: 'seed changed', seed, dataDir });
    const demoPassword = seed === 'demo' ? await ensureDemoPassword(dataDir, wantedPassword) : undefined;
    if (wantedPassword && demoPassword && wantedPassword !== demoPassword) onEvent({ kind: 'password kept', dataDir });
    const web = watch ? webDevServer(ports.webDev, ports.gateway) : undefined;
    const secret = () => randomBytes(32).toString('base64url');
    const gatewaySecrets = { auth: secret(), catalog: secret(), recording: secret(), history: secret() };
    const context: ProductContext = {
      settings,
      env,
      secrets,
      backing,
      seed,
      demoPassword,
      ports,
      gatewaySecrets,
      spoolDir,
      demoEmails: [],
      smtpUrl: settings.SMTP_URL ?? mail?.smtpUrl ?? '',
      webDevUrl: web?.url,
    };
    const later: (() => Promise<void>)[] = [];
    /** Starts a process, or its replicas, each with its own port and folder. */
    const startProcess = async (name: ProcessName, of: ProductContext, onMessage: ProcessSpec['onMessage']) => {
      const { replicas } = options;
      const run = ({ phase, spec }: ReturnType<typeof productProcess>, suffix = '') =>
        supervisor.start(phase, { ...spec, name: `${name}${suffix}`, ...(onMessage ? { onMessage } : {}) });
      if (!replicas) return run(productProcess(name, of, watch));
      const copies = await findFreePorts(replicas.roots.length);
      closers.push(await replicas.openFront(ports[name], copies));
      const atOnce = replicas.roots.flatMap((root, index) => {
        const suffix = `-${index + 1}`;
        const context = { ...of, ports: { ...ports, [name]: copies[index] }, spoolDir: spoolDir + suffix };
        const start = () => run(productProcess(name, context, watch, root), suffix);
        if (index === 0 || !replicas.inTurn) return [start()];
        later.push(start);
        return [];
      });
      await Promise.all(atOnce);
    };
    const start = async (
      names: readonly ProcessName[],
      productContext: ProductContext,
      onMessage?: ProcessSpec['onMessage'],
    ) => {
      await Promise.all(names.map((name) => startProcess(name, productContext, onMessage)));
    };
    /** The gateway starts after auth, since the login page shows the demonstration logins that auth reports. */
    const startFromAuth = async (): Promise<FirstUsersReport> => {
      const report = Promise.withResolvers<FirstUsersReport>();
      await start(['auth'], context, (message) => {
        const parsed = firstUsersReport.safeParse(message);
        if (parsed.success) report.resolve(parsed.data);
        const erasure = mailErasure.safeParse(message);
        if (erasure.success) {
          mail?.erase(erasure.data.email).catch((error: Error) => console.error(`Mail catcher: ${error.message}`));
        }
      });
      const firstUsers = await report.promise;
      await start(['gateway'], { ...context, demoEmails: firstUsers.demoEmails });
      return firstUsers;
    };
    const [firstUsers] = await Promise.all([
      startFromAuth(),
      start(PARALLEL_TO_AUTH, context),
      web && supervisor.start('gateway', web.spec),
    ]);
    await Promise.all(later.map((startCopy) => startCopy()));
    return {
      url: publicUrl(settings),
      demo: { emails: firstUsers.demoEmails, password: demoPassword ?? '' },
      setUpLink: firstUsers.setUpLink ?? undefined,
      mailUrl: mail?.url,
      ports,
      gatewaySecrets,
      stop,
    };
  } catch (error) {
    await stop();
    throw dataFolderError(dataDir, error);
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}
