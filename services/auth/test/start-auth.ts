import { randomUUID } from 'node:crypto';
import type { Role, SignedInUser } from '@interview-prep/contracts/auth/users';
import type { JobName, JobPayload, QueueName } from '@interview-prep/contracts/events/jobs';
import { openAuditTrail } from '@interview-prep/kit/audit/audit-trail';
import { createJobProducer } from '@interview-prep/kit/redis/job-queues';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import type { TestIdentity } from '@interview-prep/kit/testing/identity';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { openAuth } from '../src/auth.ts';
import { readSettings } from '../src/config.ts';

export const password = 'correct horse battery';

/** The service with its own database and Redis prefix, and cheap hashes. Limits are off unless a test sets them. */
export async function startAuth(environment: Record<string, string> = {}, shared?: TestBacking, now?: () => number) {
  const backing = shared ?? (await createTestBacking('auth'));
  const prefix = backing.settings.REDIS_PREFIX;
  const settings = readSettings({
    ...backing.settings,
    PORT: '0',
    LOGIN_ATTEMPTS: '0',
    WEBHOOK_NETWORKS: 'any',
    ...environment,
  });
  const jobs = createJobProducer(backing.redis, prefix);
  const allJobs = createJobProducer(backing.redisAdministrator, prefix);
  const connections = { mongo: backing.mongo, redis: backing.redis, jobs, log: backing.log };
  const audit = openAuditTrail({ service: 'auth', prefix, ...connections });
  const hashCost = { memoryCost: 8, timeCost: 1 };
  const forTests = { hashCost, pollMs: 500, ...(now ? { now } : {}) };
  const auth = await openAuth({ ...connections, audit, ...forTests }, settings);
  await auth.technologies.apply({ slugs: ['go', 'sql', 'react', 'python', 'javascript'], revision: 1 });
  const app = createApp({ auth, log: backing.log, checks: {}, audit });
  const passwordHash = await auth.passwords.hash(password);

  const call = (method: 'get' | 'post' | 'put' | 'delete', path: string, token?: string, body?: object) => {
    const sent = request(app)[method](path);
    return (token === undefined ? sent : sent.set('Authorization', `Bearer ${token}`)).send(body);
  };
  const login = (email: string, secret = password) =>
    call('post', '/api/auth/login', undefined, { email, password: secret });

  return {
    backing,
    prefix,
    settings,
    jobs,
    auth,
    audit,
    app,
    call,
    login,
    denylist: createTokenDenylist(backing.redis, prefix),
    /** A user with `password`, in the database. */
    add: (role: Role, email = `${role}-${randomUUID()}@example.com`) =>
      auth.users.create({ email, passwordHash, role, technologies: ['go'] }),
    async signedIn(role: Role, email = `${role}-${randomUUID()}@example.com`): Promise<SignedInUser> {
      await auth.users.create({ email, passwordHash, role, technologies: ['go'] });
      return (await login(email).expect(200)).body.user;
    },
    /** The payloads of a queue's waiting jobs with one name, that is, what was published. */
    async published<Q extends QueueName, N extends JobName<Q>>(queue: Q, name: N): Promise<JobPayload<Q, N>[]> {
      const waiting = await allJobs.queue(queue).getJobs(['waiting'], 0, -1, true);
      return waiting.filter((job) => job.name === name).map((job) => job.data as JobPayload<Q, N>);
    },
    /** Deletes every key of this service from Redis. */
    async emptyRedis() {
      await backing.redisAdministrator.del(await backing.redisAdministrator.keys(`${prefix}:*`));
    },
    async stop() {
      await audit.stop();
      await auth.stop();
      await Promise.all([jobs.close(), allJobs.close()]);
      if (shared) return;
      await auth.auditLog.entries.db.dropDatabase();
      await backing.close();
    },
  };
}

export type StartedAuth = Awaited<ReturnType<typeof startAuth>>;

/** Stored users with tokens that auth signed, for kit's test tools. */
export function identityOf({ add, auth }: StartedAuth): Pick<TestIdentity, 'user'> {
  return {
    async user(role, { expiresInSeconds = 600 } = {}) {
      const user = await add(role);
      const nowMs = Date.now();
      const signIn = { jti: randomUUID(), exp: Math.ceil(nowMs / 1000) + expiresInSeconds };
      const token = auth.signAccessToken(user, nowMs, signIn);
      return { id: user._id.toHexString(), email: user.email, role, token, authorization: `Bearer ${token}` };
    },
  };
}
