import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { settings } from '../src/settings.ts';
import { accessTokenProfile } from '../src/tokens/access-tokens.ts';
import { createMediaTokens, mediaTokenProfile } from '../src/tokens/media-tokens.ts';
import { signToken, type TokenProfile } from '../src/tokens/signed-token.ts';

const secret = 'a secret of at least thirty-two characters';
const tokens = createMediaTokens(secret);
const tokenOf = (url: string) => new URL(url, 'http://x').searchParams.get('token') ?? '';

const now = Math.floor(Date.now() / 1000);
const signIn = { sub: 'u1', jti: 'j1', iat: now - 0.5 };
const claims = { ...signIn, exp: now + 600 };

test('a URL plays only its recording, and belongs to a sign-in', () => {
  const url = tokens.urlOf('r1', claims);
  expect(url).toMatch(/^\/api\/media\/r1\?token=/);
  expect(tokens.linkOf(tokenOf(url))).toEqual({ recordingId: 'r1', signIn });
  expect(tokens.linkOf(tokenOf(tokens.urlOf('r2', claims)))?.recordingId).toBe('r2');
});

test('a URL expires no later than its sign-in', () => {
  expect(tokens.linkOf(tokenOf(tokens.urlOf('r1', { ...claims, exp: now - 1 })))).toBeNull();
});

test('a token of another secret or type is rejected, and so are a changed and an expired one', () => {
  const good = tokenOf(tokens.urlOf('r1', claims));
  const [header, , signature] = good.split('.');
  const { issuer: iss, audience: aud } = mediaTokenProfile;
  const changed = Buffer.from(JSON.stringify({ sub: 'r2', iss, aud, exp: 9_999_999_999 })).toString('base64url');
  const sign = (profile: Partial<TokenProfile>, exp = now + 60) =>
    signToken({ ...mediaTokenProfile, ...profile }, createSecretKey(secret, 'utf8'), {
      sub: 'r1',
      iat: now,
      exp,
      signIn,
    });
  expect(tokens.linkOf(sign({}))?.recordingId).toBe('r1');
  const bad: Record<string, string> = {
    'another secret': tokenOf(createMediaTokens(`${secret}!`).urlOf('r1', claims)),
    'changed claims': [header, changed, signature].join('.'),
    'no algorithm': `${Buffer.from('{"alg":"none","typ":"media+jwt"}').toString('base64url')}.${changed}.`,
    'an expiry in the past': sign({}, now - 1),
    "the access token's type": sign({ type: accessTokenProfile.type }),
    "the access token's issuer": sign({ issuer: accessTokenProfile.issuer }),
    "the access token's audience": sign({ audience: accessTokenProfile.audience }),
    'no sign-in': signToken(mediaTokenProfile, createSecretKey(secret, 'utf8'), { sub: 'r1', iat: now, exp: now + 60 }),
    nothing: '',
    'one letter': 'x',
  };
  for (const [fault, token] of Object.entries(bad)) {
    expect([fault, tokens.linkOf(token)]).toEqual([fault, null]);
  }
});

test('a short secret is rejected', () => {
  expect(settings.MEDIA_TOKEN_SECRET.type.safeParse('x'.repeat(31)).success).toBe(false);
});
