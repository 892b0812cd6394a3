import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from './logger.ts';

/** How long a process may take to stop before it is ended by force. */
const deadlineMs = 8000;

/** What a process does from start to stop. */
export interface ProcessParts {
  app: RequestListener;
  /** Ends what must hear of the stop at once: jobs in hand, whose programs may have got the same signal. */
  closeFirst?: readonly (() => Promise<unknown>)[];
  /** Ends what the process holds, in this order, after the HTTP server: workers, queues, Redis, MongoDB. */
  closers: readonly (() => Promise<unknown>)[];
}

/**
 * Runs a process: starts it, listens, and stops it on SIGTERM or SIGINT: readiness off, what closes first, the HTTP server,
 * then the closers, under a deadline. A start that fails ends the process with status 1.
 * @param start gets `isStopping` for the readiness check and the signal handlers' moment
 */
export async function runProcess(
  settings: { HOST: string; PORT: number },
  log: Logger,
  start: (isStopping: () => boolean) => Promise<ProcessParts>,
): Promise<void> {
  let stopping = false;
  let parts: ProcessParts | undefined;
  let server: Server | undefined;

  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error('could not stop in time');
      process.exit(1);
    }, deadlineMs).unref();
    const closeHttp = async () => server && closeServer(server);
    for (const close of [...(parts?.closeFirst ?? []), closeHttp, ...(parts?.closers ?? [])]) {
      await close().catch((error: unknown) => log.warn({ err: error }, 'closing failed'));
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
    parts = await start(() => stopping);
    server = createServer(parts.app);
    // Longer than the gateway keeps its idle connections, so that it never writes into one that is being closed.
    server.keepAliveTimeout = 65_000;
    // A slow phone may need long to send ten megabytes.
    server.requestTimeout = 15 * 60_000;
    await listen(server, settings);
    log.info({ address: server.address() }, 'listening');
  } catch (error) {
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

/** Lets running requests end for a moment, then cuts what is left (event streams never end by themselves). */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), 2000);
  await closed;
  clearTimeout(cut);
}
