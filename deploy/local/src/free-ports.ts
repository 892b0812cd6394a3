import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { StartupError } from './settings.ts';

const listen = (...address: [port: number, host: string] | [path: string]): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    // Accepts both forms of an address.
    server.listen(...(address as [number, string]), () => resolve(server));
  });

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/**
 * Operating systems use ports from 32768 or 49152 up for outgoing connections. One of those could be taken between the check
 * and the moment a process listens on it, so ours are lower. `fetch` blocks none from 20000 up.
 */
const OWN_PORTS = { from: 20_000, below: 32_768 };

/**
 * The name of an abstract socket that reserves a port while this process lives. Several products may start at once, as in
 * tests, and it takes seconds until a process listens on its port.
 */
export function reservationOf(port: number): string {
  return `\0interview-prep-port-${port}`;
}

async function reserve(port: number): Promise<void> {
  // Only Linux has abstract sockets.
  if (process.platform === 'linux') (await listen(reservationOf(port))).unref();
}

async function listenOnFreePort(): Promise<Server> {
  for (;;) {
    const port = randomInt(OWN_PORTS.from, OWN_PORTS.below);
    try {
      await reserve(port);
      return await listen(port, '127.0.0.1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Finds distinct free ports on loopback, and reserves them for as long as this process lives. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenOnFreePort));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close));
  return ports;
}

const PORT_ERRORS: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is in use: stop what uses it, or choose another with PORT=${port + 1} npm start.`,
  EACCES: (port) => `Port ${port} may not be opened by this user: choose one above 1023, for instance PORT=8080.`,
  EADDRNOTAVAIL: (_port, host) => `HOST=${host} is not an address of this machine.`,
  ENOTFOUND: (_port, host) => `HOST=${host} is unknown: use an address of this machine, for instance 127.0.0.1.`,
};

/** @throws StartupError if the address is unavailable */
export async function requireFreePort(port: number, host: string): Promise<void> {
  try {
    await close(await listen(port, host));
  } catch (error) {
    const message = PORT_ERRORS[(error as NodeJS.ErrnoException).code ?? ''];
    if (!message) throw error;
    throw new StartupError(message(port, host));
  }
}
