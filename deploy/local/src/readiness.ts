import { get } from 'node:https';
import { connect } from 'node:net';

const TIMEOUT_MS = 2000;

/** The status with which this machine's own TLS server answers. Its certificate has another name than loopback. */
function secureStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = get(url, { rejectUnauthorized: false, agent: false, timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(undefined));
    asked.once('close', () => resolve(undefined));
  });
}

/** Whether the address answers a GET with 200, or with any status. */
export async function answersHttp(url: string, anyStatus = false): Promise<boolean> {
  if (url.startsWith('https:')) {
    const status = await secureStatus(url);
    return status === 200 || (anyStatus && status !== undefined);
  }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { connection: 'close' } });
    await response.body?.cancel();
    return anyStatus || response.status === 200;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return false;
    throw error;
  }
}

/** Connects and sends `message`. Resolves with the answer once it is `complete`, or with undefined. */
function exchange(
  port: number,
  message: string | Buffer,
  complete: (answer: string) => boolean,
): Promise<string | undefined> {
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
      socket.write(message);
      check();
    });
    socket.on('data', (data) => {
      answer += data.toString();
      check();
    });
  });
}

/** MongoDB's wire message of `{ping: 1, $db: 'admin'}`, which needs no sign-in: OP_MSG (2013 is 0x07dd) with one BSON document. */
const MONGO_PING = Buffer.concat([
  Buffer.from('33000000' + '01000000' + '00000000' + 'dd070000' + '00000000' + '00', 'hex'),
  Buffer.from('\x1e\0\0\0\x10ping\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0', 'latin1'),
]);

/** Whether a MongoDB at the port, on loopback, answers a ping. */
export async function answersMongo(port: number): Promise<boolean> {
  return (await exchange(port, MONGO_PING, (answer) => answer !== '')) !== undefined;
}

/** Whether a Redis on loopback answers PING with PONG, or with any reply: it refuses while it loads its data. */
export async function answersRedis(url: string, anyReply = false): Promise<boolean> {
  const { port, username, password } = new URL(url);
  const answer = await exchange(Number(port), `AUTH ${username} ${password}\r\nPING\r\n`, (text) =>
    /^-|PONG|\n-/.test(text),
  );
  return answer !== undefined && (anyReply || answer.includes('+PONG'));
}
