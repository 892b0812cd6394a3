import { expect, test } from 'vitest';
import { loggableUrl } from '../src/process/logger.ts';
import { runFixture } from './run-fixture.ts';

const script = new URL('./fixtures/log-secrets.ts', import.meta.url);

test('secrets are redacted, and other values are logged', async () => {
  const fixture = runFixture(script);
  expect(await fixture.ended).toBe(0);
  const lines = fixture
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(fixture.output()).not.toContain('hunter2');
  expect(lines).toMatchObject([
    {
      name: 'fixture',
      password: '[redacted]',
      user: { token: '[redacted]', email: 'a@example.com' },
      msg: 'signed in',
    },
    { req: { headers: { authorization: '[redacted]', cookie: '[redacted]' } } },
  ]);
});

test.each([
  ['/api/media/1?token=abc.def', '/api/media/1?token=[redacted]'],
  ['/api/media/1?a=b&token=abc&c=d', '/api/media/1?a=b&token=[redacted]&c=d'],
  ['/sign-in/callback?code=abc&state=def&iss=x', '/sign-in/callback?code=[redacted]&state=[redacted]&iss=x'],
  ['/api/interviews/history?email=ada%40example.com&limit=5', '/api/interviews/history?email=[redacted]&limit=5'],
  ['/reset-password?token=x&token=y', '/reset-password?token=[redacted]&token=[redacted]'],
  ['/api/users?page=2', '/api/users?page=2'],
])('%s is logged as %s', (url, shown) => {
  expect(loggableUrl(url)).toBe(shown);
});
