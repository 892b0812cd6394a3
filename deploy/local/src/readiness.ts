import { connect } from 'node:net';

const TIMEOUT_MS = 2000;

/** Whether a GET of the address is answered, with 200 or, where `anyStatus`, at all. */
export const answersHttp = async (url: string, anyStatus = false): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { connection: 'close' } });
    await response.body?.cancel();
    return anyStatus || response.status === 200;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return false;
    throw error;
  }
};

/** Connects, sends `text`, and resolves with what comes back once it is `whole`; undefined when that does not happen. */
const exchange = (port: number, text: string, whole: (answer: string) => boolean): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: TIMEOUT_MS });
    let answer = '';
    const done = (result: string | undefined): void => {
      socket.destroy();
      resolve(result);
    };
    const look = (): void => {
      if (whole(answer)) done(answer);
    };
    socket.once('error', () => done(undefined));
    socket.once('timeout', () => done(undefined));
    socket.once('close', () => done(undefined));
    socket.once('connect', () => {
      socket.write(text);
      look();
    });
    socket.on('data', (data) => {
      answer += data.toString();
      look();
    });
  });

/** Whether something takes connections at the port, on loopback. */
export const acceptsTcp = async (port: number): Promise<boolean> =>
  (await exchange(port, '', () => true)) !== undefined;

/** Whether a Redis with this password answers PING: not yet while it loads its data. */
export const answersRedis = async (port: number, password: string): Promise<boolean> => {
  const answer = await exchange(port, `AUTH ${password}\r\nPING\r\n`, (text) => /^-|PONG|\n-/.test(text));
  return answer?.includes('+PONG') ?? false;
};
