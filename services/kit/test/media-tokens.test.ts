import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { accessTokenProfile } from '../src/access-tokens.ts';
import { createMediaTokens, mediaTokenProfile, mediaTokenSettings } from '../src/media-tokens.ts';
import { signToken, type TokenProfile } from '../src/signed-token.ts';

const secret = 'a secret of at least thirty-two characters';
const tokens = createMediaTokens(secret);
const tokenOf = (url: string) => new URL(url, 'http://x').searchParams.get('token') ?? '';

test('a URL plays its recording and no other', () => {
  const url = tokens.urlOf('r1');
  expect(url).toMatch(/^\/api\/media\/r1\?token=/);
  expect(tokens.recordingOf(tokenOf(url))).toBe('r1');
  expect(tokens.recordingOf(tokenOf(tokens.urlOf('r2')))).toBe('r2');
});

test('a token of another secret or kind is refused, and so are a changed and an expired one', () => {
  const good = tokenOf(tokens.urlOf('r1'));
  const [header, , signature] = good.split('.');
  const { issuer: iss, audience: aud } = mediaTokenProfile;
  const changed = Buffer.from(JSON.stringify({ sub: 'r2', iss, aud, exp: 9_999_999_999 })).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const sign = (profile: Partial<TokenProfile>, exp = now + 60) =>
    signToken({ ...mediaTokenProfile, ...profile }, createSecretKey(secret, 'utf8'), { sub: 'r1', iat: now, exp });
  expect(tokens.recordingOf(sign({}))).toBe('r1');
  const bad: Record<string, string> = {
    'another secret': tokenOf(createMediaTokens(`${secret}!`).urlOf('r1')),
    'changed claims': [header, changed, signature].join('.'),
    'no algorithm': `${Buffer.from('{"alg":"none","typ":"media+jwt"}').toString('base64url')}.${changed}.`,
    'an expiry in the past': sign({}, now - 1),
    "the access token's type": sign({ type: accessTokenProfile.type }),
    "the access token's issuer": sign({ issuer: accessTokenProfile.issuer }),
    "the access token's audience": sign({ audience: accessTokenProfile.audience }),
    nothing: '',
    'one letter': 'x',
  };
  for (const [fault, token] of Object.entries(bad)) {
    expect([fault, tokens.recordingOf(token)]).toEqual([fault, null]);
  }
});

test('a short secret is refused', () => {
  expect(mediaTokenSettings.MEDIA_TOKEN_SECRET.safeParse('x'.repeat(31)).success).toBe(false);
});
