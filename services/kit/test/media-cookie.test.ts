import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { createMediaCookie, createMediaTokens, mediaCookieProfile } from '../src/tokens/media-tokens.ts';
import { signToken } from '../src/tokens/signed-token.ts';

const secret = 'a secret of at least thirty-two characters';
const overTls = createMediaCookie(secret, 'https://prep.example.com');
const now = () => Math.floor(Date.now() / 1000);
const newId = () => randomBytes(12).toString('hex');
const viewerOf = (jti: string = randomUUID()) => ({
  sub: newId(),
  jti,
  kid: randomBytes(32).toString('base64url'),
  idle: 3600,
  iat: now() - 0.123,
  exp: now() + 12 * 3600,
});

afterEach(() => {
  vi.useRealTimers();
});

interface Sent {
  name: string;
  value: string;
  options: Record<string, unknown>;
}

/** Allows a browser to play recordings, in addition to those in its cookie. @returns the new cookie */
function allow(ids: string[], viewer = viewerOf(), cookie = '', mediaCookie = overTls): Sent {
  const sent: Sent[] = [];
  const res = {
    cookie: (name: string, value: string, options: Sent['options']) => sent.push({ name, value, options }),
  } as unknown as Response;
  mediaCookie.allow({ req: { headers: { cookie } } as Request, res }, ids, viewer);
  return sent[0] ?? { name: '', value: '', options: {} };
}
const header = ({ name, value }: Sent) => `other=1; ${name}=${value}`;
const linkOf = (cookie: string, id: string) => overTls.linkOf({ headers: { cookie } } as Request, id);

test('over TLS the cookie is bound to this host; over HTTP it has a name that browsers accept there', () => {
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', maxAge: 6 * 3600 * 1000 };
  expect(allow([newId()])).toMatchObject({ name: '__Host-media', options: { ...attributes, secure: true } });
  const plain = createMediaCookie(secret, 'http://localhost:8080');
  expect(allow([newId()], viewerOf(), '', plain)).toMatchObject({
    name: 'media',
    options: { ...attributes, secure: false },
  });
});

test('plays the recordings of several responses, each with its own sign-in and expiry', () => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
  const [ada, share] = [viewerOf(), { ...viewerOf(), exp: now() + 60 }];
  const [first, second] = [newId(), newId()];
  const one = allow([first], ada);
  const both = header(allow([second.toUpperCase()], share, header(one)));
  expect(linkOf(both, first)).toMatchObject({ recordingId: first, signIn: { sub: ada.sub, jti: ada.jti } });
  expect(linkOf(both, second.toUpperCase())).toMatchObject({ recordingId: second, signIn: { jti: share.jti } });
  expect(linkOf(both, newId())).toBeNull();
  vi.setSystemTime(Date.now() + 61_000);
  expect(linkOf(both, first)?.signIn.jti).toBe(ada.jti);
  expect(linkOf(both, second)).toBeNull();
  vi.setSystemTime(Date.now() + 6 * 3_600_000);
  expect(linkOf(both, first)).toBeNull();
});

test('a newer sign-in replaces an older one for the same recording', () => {
  const id = newId();
  const [older, newer] = [viewerOf(), viewerOf()];
  const cookie = header(allow([id], newer, header(allow([id], older))));
  expect(linkOf(cookie, id)?.signIn.jti).toBe(newer.jti);
});

test('with any number of recordings, browsers accept it, and the newest play', () => {
  const largest = Array.from({ length: 120 }, newId);
  let cookie = '';
  for (const ids of [...Array.from({ length: 60 }, () => [newId(), newId(), newId()]), largest]) {
    const sent = allow(ids, viewerOf(), cookie);
    // RFC 6265, section 6.1: name, value and attributes.
    expect(sent.name.length + sent.value.length + 120).toBeLessThan(4096);
    cookie = header(sent);
    for (const id of ids) expect(linkOf(cookie, id)?.recordingId).toBe(id);
  }
});

test('a cookie of another secret or type is rejected, and none is set if it would play nothing', () => {
  const id = newId();
  const viewer = viewerOf();
  const key = createSecretKey(secret, 'utf8');
  const mediaToken = createMediaTokens(secret)
    .urlOf(id, viewer)
    .replace(/.*token=/, '');
  const strange = allow([id], viewer, '', createMediaCookie(`${secret}!`, 'https://prep.example.com'));
  const claims = { sub: 'media', iat: now(), exp: now() + 60 };
  const values = {
    'another secret': strange.value,
    'a media token': mediaToken,
    'no grants': signToken(mediaCookieProfile, key, claims),
    'a sign-in that is not there': signToken(mediaCookieProfile, key, {
      ...claims,
      signIns: [],
      grants: [{ by: 0, exp: now() + 60, ids: Buffer.from(id, 'hex').toString('base64url') }],
    }),
    nothing: '',
    'one letter': 'x',
  };
  for (const [fault, value] of Object.entries(values))
    expect([fault, linkOf(`__Host-media=${value}`, id)]).toEqual([fault, null]);
  expect(linkOf('', id)).toBeNull();
  expect(allow([])).toMatchObject({ name: '' });
});
