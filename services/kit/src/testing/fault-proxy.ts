import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { shareFate } from './share-fate.ts';

/** A way to a server that a test can cut and mend: the server is away, for whoever goes by this address. */
export interface FaultProxy {
  /** The server's URL with the link's address in it. */
  url: string;
  /** Breaks what is connected, and refuses what comes. */
  cut(): void;
  /** Breaks what is connected, and leaves what comes without an answer. */
  stall(): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param url of the server, with a port: redis://127.0.0.1:6379 */
export async function createFaultProxy(url: string): Promise<FaultProxy> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let state: 'whole' | 'cut' | 'stalled' = 'whole';
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    if (state === 'stalled') {
      open.add(near);
      near.on('error', () => near.destroy()).on('close', () => open.delete(near));
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    shareFate(near, far, open);
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.toString(),
    cut() {
      state = 'cut';
      breakAll();
    },
    stall() {
      state = 'stalled';
      breakAll();
    },
    mend() {
      state = 'whole';
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}
