import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { closeTogether } from './close-together.ts';

/** A proxy in front of a server. A test puts the server into an outage for whoever connects through it. */
export interface FaultProxy {
  /** The server's URL with the proxy's address in it. */
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Closes every connection; new ones are accepted and never answered. */
  stall(): void;
  /** Keeps every connection open, new ones too, and passes nothing on: a server that is stopped, not dead. */
  freeze(): void;
  /** Holds each piece of data back for this long, in both directions. */
  slow(latencyMs: number): void;
  /** Closes every connection; from now on each gets this answer to the first it sends, in the server's place. */
  answer(text: string): void;
  /** Ends the outage. */
  mend(): void;
  /** From now on new connections go to this server. */
  retarget(url: string): void;
  close(): Promise<void>;
}

/** @param url of the server, with a port: redis://127.0.0.1:6379 */
export async function createFaultProxy(url: string): Promise<FaultProxy> {
  let target = new URL(url);
  const open = new Set<Socket>();
  let state: 'working' | 'cut' | 'stalled' | 'frozen' | 'answering' = 'working';
  let latencyMs = 0;
  let ownAnswer = '';
  const delayed = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (latencyMs === 0) done(null, chunk);
        else setTimeout(done, latencyMs, null, chunk);
      },
    });
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    if (state === 'stalled' || state === 'answering') {
      open.add(near);
      near.on('error', () => near.destroy()).on('close', () => open.delete(near));
      if (state === 'answering') near.once('data', () => near.end(ownAnswer));
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    closeTogether(near, far, open);
    near.pipe(delayed()).pipe(far).pipe(delayed()).pipe(near);
    if (state === 'frozen') near.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.toString(),
    cut() {
      state = 'cut';
      closeAll();
    },
    stall() {
      state = 'stalled';
      closeAll();
    },
    freeze() {
      state = 'frozen';
      for (const socket of open) socket.pause();
    },
    slow(ms) {
      latencyMs = ms;
    },
    answer(text) {
      state = 'answering';
      ownAnswer = text;
      closeAll();
    },
    mend() {
      if (state === 'frozen') for (const socket of open) socket.resume();
      state = 'working';
      latencyMs = 0;
    },
    retarget(newUrl) {
      target = new URL(newUrl);
      closeAll();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      closeAll();
      await closed;
    },
  };
}
