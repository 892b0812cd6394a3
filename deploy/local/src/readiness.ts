import { get } from 'node:https';
import { connect } from 'node:net';

const TIMEOUT_MS = 2000;

/** The status code of a local HTTPS server. Its certificate isn't valid for loopback. */
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

/** Connects and sends `message`. Resolves with the response once it is `complete`, or with undefined. */
function exchange(
  address: { port: number; host?: string },
  message: string | Buffer,
  complete: (answer: string) => boolean,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', ...address, timeout: TIMEOUT_MS });
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

/** The status code of an HTTP server. Polled many times during a start: `fetch` would cost five times as much. */
async function plainStatus({ hostname, host, port, pathname }: URL): Promise<number | undefined> {
  const address = { port: Number(port || 80), host: hostname.replace(/^\[|\]$/g, '') };
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const answer = await exchange(address, request, (text) => text.includes('\r\n'));
  const status = /^HTTP\/1\.\d (\d{3})/.exec(answer ?? '')?.[1];
  return status === undefined ? undefined : Number(status);
}

/** Whether a GET of the URL returns 200, or any status. */
export async function answersHttp(url: string, anyStatus = false): Promise<boolean> {
  const status = await (url.startsWith('https:') ? secureStatus(url) : plainStatus(new URL(url)));
  return status === 200 || (anyStatus && status !== undefined);
}

/** MongoDB's wire message for `{ping: 1, $db: 'admin'}`, which needs no authentication: OP_MSG (2013 is 0x07dd) with one BSON document. */
const MONGO_PING = Buffer.concat([
  Buffer.from('33000000' + '01000000' + '00000000' + 'dd070000' + '00000000' + '00', 'hex'),
  Buffer.from('\x1e\0\0\0\x10ping\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0', 'latin1'),
]);

/** Whether a MongoDB on this loopback port responds to a ping. */
export async function answersMongo(port: number): Promise<boolean> {
  return (await exchange({ port }, MONGO_PING, (answer) => answer !== '')) !== undefined;
}

/** Whether a Redis on loopback responds to PING with PONG, or with anything: errors while loading or without authentication count then. */
export async function answersRedis(url: string, anyReply = false): Promise<boolean> {
  const { port, username, password } = new URL(url);
  const signIn = anyReply ? '' : `AUTH ${username} ${password}\r\n`;
  const answer = await exchange({ port: Number(port) }, `${signIn}PING\r\n`, (text) => /^-|PONG|\n-/.test(text));
  return answer !== undefined && (anyReply || answer.includes('+PONG'));
}
