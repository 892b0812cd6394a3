import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createMediaTokens, mediaTokenSettings } from '../src/media-tokens.ts';

const secret = 'a secret of at least thirty-two characters';
const tokens = createMediaTokens(secret);
const tokenOf = (url: string) => new URL(url, 'http://x').searchParams.get('token') ?? '';

test('a URL plays its recording and no other', async () => {
  const url = await tokens.urlOf('r1');
  expect(url).toMatch(/^\/api\/media\/r1\?token=/);
  expect(await tokens.recordingOf(tokenOf(url))).toBe('r1');
  expect(await tokens.recordingOf(tokenOf(await tokens.urlOf('r2')))).toBe('r2');
});

test('a token of another secret, a changed one, an expired one and none are refused', async () => {
  const good = tokenOf(await tokens.urlOf('r1'));
  const [header, , signature] = good.split('.');
  const other = Buffer.from(JSON.stringify({ sub: 'r2', aud: 'media', exp: 9_999_999_999 })).toString('base64url');
  const sign = (audience: string, expires: number) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('r1')
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(secret));
  const now = Math.floor(Date.now() / 1000);
  for (const token of [
    tokenOf(await createMediaTokens(`${secret}!`).urlOf('r1')),
    [header, other, signature].join('.'),
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${other}.`,
    await sign('media', now - 1),
    await sign('access', now + 60),
    '',
    'x',
  ]) {
    expect(await tokens.recordingOf(token)).toBeNull();
  }
});

test('a short secret is refused', () => {
  expect(mediaTokenSettings.MEDIA_TOKEN_SECRET.safeParse('x'.repeat(31)).success).toBe(false);
});
