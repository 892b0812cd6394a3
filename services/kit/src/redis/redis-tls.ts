import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const answerTimeoutMs = 2000;
const defaultPort = 6379;

/** Errors of a server that expects the other of TLS and plain text: it closes the connection, or waits for more. */
const mismatchCodes = new Set(['ETIMEDOUT', 'ECONNRESET', 'EPIPE']);

/**
 * Why `redis://` or `rediss://` is wrong for this server, if it answers to the other one; null otherwise. A plain Redis waits
 * for the rest of a TLS handshake without a word, so it must be asked.
 * @param error of the connection that failed
 */
export async function redisTlsFault(url: string, error: Error & { code?: string }): Promise<string | null> {
  if (!mismatchCodes.has(error.code ?? '') || !URL.canParse(url)) return null;
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(port || defaultPort) };
  if (protocol === 'rediss:') {
    return (await answersPing(connect(at))) ? 'the server does not speak TLS: begin the address with redis://' : null;
  }
  const socket = connectTls({ ...at, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: false });
  return (await answersPing(socket)) ? 'the server speaks TLS only: begin the address with rediss://' : null;
}

/** Whether the other end answers as Redis does: with a status or an error. */
function answersPing(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answers: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answers);
    };
    const timer = setTimeout(end, answerTimeoutMs, false);
    socket.once('data', (data) => end(/^[+-]/.test(data.toString('latin1'))));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.write('PING\r\n');
  });
}
