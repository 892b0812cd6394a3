import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';

/** A Redis of one test's own, for faults that would hit other tests too. */
export interface OwnRedis {
  url: string;
  /** From now on it can be read, and refuses every write: as a replica that has lost its primary. */
  refuseWrites(): Promise<void>;
  allowWrites(): Promise<void>;
  /** From now on new connections need this password. */
  requirePassword(password: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts `redis-server` on a free port, without any file.
 * @param tls files in PEM of a server that speaks TLS only
 */
export async function startOwnRedis(tls?: { certificate: string; key: string }): Promise<OwnRedis> {
  const port = String(await freePort());
  const withTls = tls && ['--tls-cert-file', tls.certificate, '--tls-key-file', tls.key, '--tls-auth-clients', 'no'];
  const listen = withTls ? ['--port', '0', '--tls-port', port, ...withTls] : ['--port', port];
  const server = spawn('redis-server', [...listen, '--bind', '127.0.0.1', '--save', '']);
  const ended = once(server, 'close');
  const url = `${tls ? 'rediss' : 'redis'}://127.0.0.1:${port}`;
  const redis = new Redis(url, {
    retryStrategy: () => 50,
    maxRetriesPerRequest: null,
    ...(tls ? { tls: { rejectUnauthorized: false } } : {}),
  });
  // Until it listens.
  redis.on('error', () => undefined);
  await redis.ping();
  return {
    url,
    async refuseWrites() {
      await redis.config('SET', 'min-replicas-to-write', '1');
    },
    async allowWrites() {
      await redis.config('SET', 'min-replicas-to-write', '0');
    },
    async requirePassword(password) {
      await redis.config('SET', 'requirepass', password);
    },
    async stop() {
      redis.disconnect();
      server.kill('SIGKILL');
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
