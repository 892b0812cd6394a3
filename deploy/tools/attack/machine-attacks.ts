import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { inWords, send, sendBytes } from './requests.ts';
import type { Attack } from './world.ts';

const needed = ['x-content-type-options', 'content-security-policy', 'strict-transport-security'];

/** Issue 26, "Who else is on the machine, or on the page". */
export const machineAttacks: readonly Attack[] = [
  {
    name: 'As another user of the machine, read reset links at the port of the mail catcher',
    async run({ mailUrl, call }) {
      await call({ method: 'POST', path: '/api/auth/forgot-password', body: { email: 'candidate@example.com' } });
      const paths = ['/', '/messages', '//messages', '/x/messages'];
      const answers = await Promise.all(paths.map((path) => send(new URL('/', mailUrl).href, { path })));
      return {
        succeeded: answers.some(({ status, bytes }) => status === 200 || bytes.includes('token=')),
        answered: answers.map(({ status }) => status).join(', '),
      };
    },
  },
  {
    name: 'From a page that binds its own name to this machine, read the demonstration logins',
    async run({ call }) {
      const paths = ['/api/settings', '/', '/healthz'];
      const answers = await Promise.all(
        paths.map((path) => call({ path, headers: { host: 'rebound.example:8080', accept: 'text/html' } })),
      );
      const own = await call({ path: '/api/settings' });
      return {
        succeeded: answers.some(({ status }) => status === 200) || own.body?.demoLogins?.length === 0,
        answered: answers.map(inWords).join(', '),
      };
    },
  },
  {
    name: 'From media that takes over the worker of compose, reach the internet',
    async run() {
      const compose = await readFile(join(REPOSITORY, 'docker-compose.yml'), 'utf8');
      const worker = /^ {2}worker:\n(?: {4}.*\n)+/m.exec(compose)?.[0] ?? '';
      const networks = /^ {4}networks: \[(.*)\]$/m.exec(worker)?.[1]?.split(', ') ?? [];
      const isInside = (name: string) => new RegExp(`^ {2}${name}: \\{ internal: true \\}$`, 'm').test(compose);
      return {
        succeeded: networks.length === 0 || !networks.every(isInside),
        answered: `docker-compose.yml puts it on ${networks.map((name) => `${name}${isInside(name) ? ' (internal)' : ''}`).join(', ')}`,
      };
    },
  },
  {
    name: 'Run a script from Google’s host in the page of an installation without sign-in by Google',
    async run({ call }) {
      const { headers } = await call({ path: '/', headers: { accept: 'text/html' } });
      const policy = String(headers['content-security-policy']);
      return { succeeded: !/script-src/.test(policy) || policy.includes('google'), answered: policy.slice(0, 90) };
    },
  },
  {
    name: 'Frame, sniff or downgrade what health checks and refusals of the parser answer',
    async run({ url, call }) {
      const raw = [
        'nonsense\r\n\r\n',
        'GET / HTTP/1.1\r\n\r\n',
        `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
        'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ];
      const heads = await Promise.all(raw.map(async (bytes) => (await sendBytes(url, bytes)).toLowerCase()));
      const health = await Promise.all(['/healthz', '/readyz'].map((path) => call({ path })));
      const bare = [
        ...heads
          .filter((head) => !needed.every((name) => head.includes(`\r\n${name}:`)))
          .map((head) => head.slice(0, 30)),
        ...health.filter(({ headers }) => !needed.every((name) => name in headers)).map(inWords),
      ];
      return {
        succeeded: bare.length > 0,
        answered: bare.length > 0 ? `without headers: ${bare.join(', ')}` : 'all with nosniff, a policy and HSTS',
      };
    },
  },
];
