import { connect } from 'node:net';

const TIMEOUT_MS = 2000;

/** Whether the address answers a GET with 200, or with any status. */
export async function answersHttp(url: string, anyStatus = false): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { connection: 'close' } });
    await response.body?.cancel();
    return anyStatus || response.status === 200;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return false;
    throw error;
  }
}

/** Connects and sends `text`. Resolves with the answer once it is `complete`, or with undefined. */
function exchange(port: number, text: string, complete: (answer: string) => boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: TIMEOUT_MS });
    let answer = '';
    const done = (result: string | undefined): void => {
      socket.destroy();
      resolve(result);
    };
    const check = (): void => {
      if (complete(answer)) done(answer);
    };
    socket.once('error', () => done(undefined));
    socket.once('timeout', () => done(undefined));
    socket.once('close', () => done(undefined));
    socket.once('connect', () => {
      socket.write(text);
      check();
    });
    socket.on('data', (data) => {
      answer += data.toString();
      check();
    });
  });
}

/** Whether something accepts connections at the port, on loopback. */
export async function acceptsTcp(port: number): Promise<boolean> {
  return (await exchange(port, '', () => true)) !== undefined;
}

/** Whether a Redis with this password answers PING. It does not while it loads its data. */
export async function answersRedis(port: number, password: string): Promise<boolean> {
  const answer = await exchange(port, `AUTH ${password}\r\nPING\r\n`, (text) => /^-|PONG|\n-/.test(text));
  return answer?.includes('+PONG') ?? false;
}
