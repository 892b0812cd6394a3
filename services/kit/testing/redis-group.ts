import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './own-redis.ts';

const run = promisify(execFile);

/** Longer than the Sentinels take to promote the other one: one that was killed comes back as a replica. */
const restartAfterMs = 12_000;
const sentinelCount = 3;

/** A primary, a replica and three Sentinels, which speak TLS only and want a password. */
export interface RedisGroup {
  url: string;
  /** The path of the authority to trust. */
  certificate: string;
  stop(): Promise<void>;
}

/** Makes a certificate for localhost and 127.0.0.1, with its key: `NAME-cert.pem` and `NAME-key.pem`. */
export async function makeCertificate(folder: string, name: string): Promise<{ certificate: string; key: string }> {
  const files = { certificate: join(folder, `${name}-cert.pem`), key: join(folder, `${name}-key.pem`) };
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  await run('openssl', [...request, ...names, '-keyout', files.key, '-out', files.certificate]);
  return files;
}

/** Starts the five in a folder. One that ends is started again, the former primary as a replica. */
export async function startRedisGroup(folder: string): Promise<RedisGroup> {
  await mkdir(folder, { recursive: true });
  const { certificate, key } = await makeCertificate(folder, 'redis');
  const ports = await Promise.all(Array.from({ length: 2 + sentinelCount }, freePort));
  const [primary, ...others] = ports;
  const password = 'a password of Redis';
  const common = (port: number) => [
    'port 0',
    `tls-port ${port}`,
    'bind 127.0.0.1',
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
    'tls-auth-clients no',
    'tls-replication yes',
    `requirepass "${password}"`,
    `dir ${folder}`,
  ];
  const server = (port: number) => [
    ...common(port),
    `masterauth "${password}"`,
    'maxmemory-policy noeviction',
    'appendonly yes',
    `appenddirname appendonly-${port}`,
    'save ""',
    'repl-diskless-sync-delay 0',
    ...(port === primary ? [] : [`replicaof 127.0.0.1 ${primary}`]),
  ];
  const sentinel = (port: number) => [
    ...common(port),
    `sentinel monitor main 127.0.0.1 ${primary} 2`,
    `sentinel auth-pass main "${password}"`,
    `sentinel sentinel-pass "${password}"`,
    'sentinel down-after-milliseconds main 1000',
    'sentinel failover-timeout main 3000',
  ];
  let isStopping = false;
  const running = new Map<number, Promise<unknown>>();
  const start = (port: number, args: readonly string[]) => {
    const child = spawn('redis-server', [join(folder, `${port}.conf`), ...args], { cwd: folder, stdio: 'ignore' });
    const ended = once(child, 'exit');
    running.set(child.pid ?? 0, ended);
    void ended.then(() => {
      running.delete(child.pid ?? 0);
      if (!isStopping) setTimeout(() => isStopping || start(port, args), restartAfterMs).unref();
    });
  };
  for (const [index, port] of ports.entries()) {
    const isSentinel = index >= 2;
    const lines = isSentinel ? sentinel(port) : server(port);
    await writeFile(join(folder, `${port}.conf`), `${lines.join('\n')}\n`);
    start(port, isSentinel ? ['--sentinel'] : []);
  }
  const secret = encodeURIComponent(password);
  const sentinels = others.slice(1).map((port) => `127.0.0.1:${port}`);
  return {
    url: `rediss+sentinel://:${secret}@${sentinels.join(',')}/main?sentinelPassword=${secret}`,
    certificate,
    async stop() {
      isStopping = true;
      const ended = [...running.values()];
      for (const pid of running.keys()) process.kill(pid, 'SIGKILL');
      await Promise.all(ended);
    },
  };
}
