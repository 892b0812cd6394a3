import { once } from 'node:events';
import { createServer, request } from 'node:http';

const askEveryMs = 1000;

/**
 * One address in front of copies of a service, as Kubernetes' Service is: a copy gets requests while its `/readyz` succeeds,
 * or where none does. Kubernetes chooses for each connection, this for each request: two in a row never meet the same copy.
 * @param port of the address, on loopback; the copies are there too
 * @returns what closes it
 */
export async function openReplicaFront(port: number, copies: readonly number[]): Promise<() => Promise<void>> {
  let unready = new Set<number>();
  let turn = 0;
  const server = createServer((req, res) => {
    const ready = copies.filter((copy) => !unready.has(copy));
    const among = ready.length > 0 ? ready : copies;
    turn += 1;
    const { method = 'GET', url: path = '/', rawHeaders } = req;
    const options = { host: '127.0.0.1', port: among[turn % among.length], method, path, agent: false };
    const passed = request({ ...options, headers: rawHeaders });
    passed.on('information', () => res.writeProcessing());
    passed.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      res.flushHeaders();
      answer.pipe(res);
      answer.on('error', () => res.destroy());
    });
    // As where a copy is killed: the connection breaks.
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  server.requestTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(async () => {
    const asked = copies.map(async (copy) => {
      const signal = AbortSignal.timeout(askEveryMs);
      const response = await fetch(`http://127.0.0.1:${copy}/readyz`, { signal }).catch(() => null);
      await response?.body?.cancel().catch(() => undefined);
      return response?.ok ? [] : [copy];
    });
    unready = new Set((await Promise.all(asked)).flat());
  }, askEveryMs);
  return async () => {
    clearInterval(timer);
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
