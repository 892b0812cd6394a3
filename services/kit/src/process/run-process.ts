import type { RequestListener, Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { createHttpServer } from '../http/http-server.ts';
import { refuseSettings, UnusableSetting } from './config.ts';
import type { Logger } from './logger.ts';
import { followTls, readTls, type TlsSettings } from './tls-files.ts';
import { startTracing } from './tracing.ts';

/** A process that takes longer to stop exits at once. */
const deadlineMs = 8000;

/** The app of a process, and the connections to close when it stops. */
export interface ProcessParts {
  app: RequestListener;
  /** Closed before the HTTP server: running jobs, whose child processes may have received the same signal. */
  closeFirst?: readonly (() => Promise<unknown>)[];
  /** Closed after the HTTP server, in this order: workers, queues, Redis, MongoDB. */
  closers: readonly (() => Promise<unknown>)[];
}

/**
 * Starts a process and listens. On SIGTERM or SIGINT it fails readiness checks, then closes everything in order, within
 * 8 s. A failed start exits with status 1; an UnusableSetting is printed like an invalid setting.
 * @param start receives `isStopping`, for the readiness check
 */
export async function runProcess(
  settings: { HOST: string; PORT: number } & TlsSettings,
  log: Logger,
  start: (isStopping: () => boolean) => Promise<ProcessParts>,
): Promise<void> {
  let stopping = false;
  let parts: ProcessParts | undefined;
  let server: Server | undefined;
  let stopTracing = async () => {};

  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'shutting down');
    setTimeout(() => {
      log.error('could not stop in time');
      process.exit(1);
    }, deadlineMs).unref();
    const closeHttp = async () => server && closeServer(server);
    for (const close of [...(parts?.closeFirst ?? []), closeHttp, ...(parts?.closers ?? []), stopTracing]) {
      await close().catch((error: unknown) => log.warn({ err: error }, 'could not shut down cleanly'));
    }
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop('SIGTERM'));
  process.once('SIGINT', () => void stop('SIGINT'));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });

  try {
    const tls = await readTls(settings);
    stopTracing = await startTracing(String(log.bindings().name), log);
    parts = await start(() => stopping);
    server = createHttpServer(parts.app, tls);
    if (server instanceof TlsServer) followTls(server, settings, log);
    // Longer than the gateway keeps idle connections, so that it never writes to one that is being closed.
    server.keepAliveTimeout = 65_000;
    // A phone on a slow network may take this long to upload ten megabytes.
    server.requestTimeout = 15 * 60_000;
    await listen(server, settings);
    log.info({ address: server.address() }, 'accepting requests');
  } catch (error) {
    if (error instanceof UnusableSetting) refuseSettings([`${error.setting}: ${error.message}`]);
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

function listen(server: Server, { HOST, PORT }: { HOST: string; PORT: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, resolve);
  });
}

/** Gives running requests 2 s to finish, then closes their connections: event streams never end by themselves. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), 2000);
  await closed;
  clearTimeout(cut);
}
