import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut and mended, as networks are. */
export interface TcpProxy {
  port: number;
  /** Breaks all connections and takes no new ones. */
  cut(): void;
  /** Leaves new connections without an answer. */
  stall(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: URL): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let state: 'whole' | 'cut' | 'stalled' = 'whole';
  const server = createServer((from) => {
    if (state === 'cut') {
      from.destroy();
      return;
    }
    if (state === 'stalled') {
      open.add(from);
      from.on('error', () => {}).on('close', () => open.delete(from));
      return;
    }
    const to = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      // A broken side breaks the other, which is all that an error means here.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
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
      server.close();
      breakAll();
      await once(server, 'close');
    },
  };
}
