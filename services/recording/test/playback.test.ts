import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { createMediaTokens, mediaTokenProfile } from '@interview-prep/kit/tokens/media-tokens';
import { signToken } from '@interview-prep/kit/tokens/signed-token';
import express from 'express';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cookiesOf,
  mediaTokenSecret,
  type RecordingUnderTest,
  startRecording,
  upload,
} from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let answer: Buffer;
let claims: TokenClaims;
let recordingId: string;
let url: string;

beforeAll(async () => {
  service = await startRecording();
  answer = await tone(440, 2);
  const { setId } = await service.addSet();
  const candidate = await service.identity.user('others');
  claims = await service.identity.verify(candidate.token);
  const response = await upload(service.server, candidate, answer, { setId });
  recordingId = response.body.recording._id;
  url = response.body.recording.audioUrl;
});
afterAll(() => service.close());

function play(headers: Record<string, string> = {}) {
  const playing = request(service.server).get(url).buffer(true);
  for (const [name, value] of Object.entries(headers)) playing.set(name, value);
  return playing.parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
  });
}

describe('the media of a recording', () => {
  it('plays as a whole', async () => {
    const response = await play();
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'audio/webm',
      'accept-ranges': 'bytes',
      'content-disposition': expect.stringMatching(/^inline; filename="0-[0-9a-f]{64}\.webm"$/),
      'content-length': String(answer.length),
      'cache-control': 'no-store',
    });
    expect(response.body).toEqual(answer);
  });

  it.each([
    ['a first part', 'bytes=0-99', 0, 99],
    ['a middle part', 'bytes=1000-1999', 1000, 1999],
    ['the rest', 'bytes=1500-', 1500, -1],
    ['the last bytes', 'bytes=-500', -500, -1],
    ['a part that ends beyond the end', 'bytes=1500-999999999', 1500, -1],
  ])('plays %s', async (_name, range, start, end) => {
    const from = start < 0 ? answer.length + start : start;
    const to = end < 0 ? answer.length + end : end;
    const response = await play({ Range: range });
    expect(response.status).toBe(206);
    expect(response.headers['content-range']).toBe(`bytes ${from}-${to}/${answer.length}`);
    expect(response.headers['content-length']).toBe(String(to - from + 1));
    expect(response.body).toEqual(answer.subarray(from, to + 1));
  });

  it('plays as a whole if the range is malformed, has several parts, or is of another version', async () => {
    const { etag = '' } = (await play()).headers;
    for (const headers of [
      { Range: 'bytes=abc' },
      { Range: 'bytes=0-1,50-60' },
      { Range: 'bytes=0-9', 'If-Range': '"x"' },
    ]) {
      expect((await play(headers as Record<string, string>)).status).toBe(200);
    }
    expect((await play({ Range: 'bytes=0-9', 'If-Range': etag })).status).toBe(206);
    expect((await play({ 'If-None-Match': etag })).status).toBe(304);
  });

  it('returns 416 for a range beyond its end', async () => {
    const response = await request(service.server).get(url).set('Range', `bytes=${answer.length}-`);
    expect(response.status).toBe(416);
    expect(response.headers['content-range']).toBe(`bytes */${answer.length}`);
    expect(response.body.code).toBe('range_not_satisfiable');
  });

  it('answers HEAD with its size', async () => {
    const response = await request(service.server).head(url);
    expect(response.status).toBe(200);
    expect(response.headers['content-length']).toBe(String(answer.length));
  });

  it('is the seekable version once there is one', async () => {
    const playable = await tone(500);
    const path = join(service.spoolDir, 'playable');
    await writeFile(path, playable);
    await service.store.putFile('other', path, playable.length, 'video/webm');
    const { _id } = await service.models.recordings.findById(recordingId).orFail();
    const playback = { key: 'other', mediaType: 'video/webm', sizeBytes: playable.length };
    await service.models.recordings.updateOne({ _id }, { $set: { playback } });
    const response = await play();
    expect(response.headers['content-type']).toBe('video/webm');
    expect(response.body).toEqual(playable);
    await service.models.recordings.updateOne({ _id }, { $set: { playback: null } });
  });
});

describe('a media link ends with the sign-in that created it', () => {
  async function linkOf(user: TestUser): Promise<string> {
    const { setId } = await service.addSet();
    const { body } = await upload(service.server, user, answer, { setId });
    expect((await request(service.server).get(body.recording.audioUrl)).status).toBe(200);
    return body.recording.audioUrl;
  }

  async function expectEnded(link: string): Promise<void> {
    const { etag = '' } = (await play()).headers;
    for (const headers of [{}, { Range: 'bytes=0-9' }, { 'If-None-Match': etag }]) {
      const response = await request(service.server).get(link).set(headers);
      expect(response.status).toBe(401);
      expect(response.body.message).toBe('This link to the recording has expired');
    }
  }

  it('at a logout, and with no other sign-in of the same user', async () => {
    const user = await service.identity.user('others');
    const again = await service.identity.user('others', { id: user.id });
    const [link, other] = [await linkOf(user), await linkOf(again)];
    await service.denylist.revokeSignIn(await service.identity.verify(user.token), 60_000);
    await expectEnded(link);
    expect((await request(service.server).get(other)).status).toBe(200);
  });

  it("when a changed password or the account's deletion revokes all sign-ins", async () => {
    const user = await service.identity.user('others');
    const link = await linkOf(user);
    await service.denylist.revokeUserTokens({ userId: user.id, validAfterMs: Date.now() + 1 }, 60_000);
    await expectEnded(link);
    expect((await play()).status).toBe(200);
  });
});

describe("a browser's cookie", () => {
  /** The cookie that history sets in a browser that may play these recordings. */
  const cookieFor = async (ids: string[], signIn: TokenClaims, cookie = '') => {
    const app = express().get('/', (req, res) => {
      service.mediaCookie.allow({ req, res }, ids, signIn);
      res.end();
    });
    return cookiesOf(await request(app).get('/').set('Cookie', cookie));
  };
  const playBy = (id: string, cookie: string) =>
    request(service.server).get(`/api/media/${id}`).set({ Cookie: cookie, Range: 'bytes=0-9' });

  it('plays the recordings that it was set for, in parts, and no others', async () => {
    const cookie = await cookieFor([recordingId], claims);
    expect(cookie).toMatch(/^__Host-media=/);
    const response = await playBy(recordingId, cookie);
    expect([response.status, response.body]).toEqual([206, answer.subarray(0, 10)]);
    expect((await playBy(recordingId.toUpperCase(), cookie)).status).toBe(206);
    const foreign = await cookieFor([new Types.ObjectId().toHexString()], claims);
    expect((await playBy(recordingId, foreign)).status).toBe(401);
    expect((await playBy(recordingId, cookie.replace('__Host-', ''))).status).toBe(401);
    expect((await playBy(recordingId, '__Host-media=x')).status).toBe(401);
    // If the URL has a token, the cookie is ignored.
    expect((await request(service.server).get(`/api/media/${recordingId}?token=x`).set('Cookie', cookie)).status).toBe(
      401,
    );
  });

  it('ends with the sign-in, and serves nothing but media', async () => {
    const user = await service.identity.user('others');
    const signIn = await service.identity.verify(user.token);
    const cookie = await cookieFor([recordingId], signIn, await cookieFor([recordingId], claims));
    expect((await playBy(recordingId, cookie)).status).toBe(206);
    expect((await request(service.server).get('/api/events').set('Cookie', cookie)).status).toBe(401);
    await service.denylist.revokeSignIn(signIn, 60_000);
    expect((await playBy(recordingId, cookie)).status).toBe(401);
  });
});

describe('media is not served', () => {
  const path = (id: string) => `/api/media/${id}`;

  it('without a token, with an invalid one and with an expired one', async () => {
    const strange = createMediaTokens('another secret of thirty-two characters!!').urlOf(recordingId, claims);
    // Signed with the correct secret, but expired in 2001.
    const old = { sub: recordingId, iat: 999_999_000, exp: 1_000_000_000, signIn: claims };
    const expired = signToken(mediaTokenProfile, createSecretKey(mediaTokenSecret, 'utf8'), old);
    for (const bad of [
      path(recordingId),
      `${path(recordingId)}?token=x.y.z`,
      strange,
      `${path(recordingId)}?token=${expired}`,
    ]) {
      expect((await request(service.server).get(bad)).status).toBe(401);
    }
  });

  it("with another recording's token", async () => {
    const other = new URL(service.mediaTokens.urlOf(new Types.ObjectId().toHexString(), claims), 'http://localhost');
    expect((await request(service.server).get(path(recordingId) + other.search)).status).toBe(403);
  });

  it('of an unknown recording, or one without its object', async () => {
    const gone = service.mediaTokens.urlOf(new Types.ObjectId().toHexString(), claims);
    expect((await request(service.server).get(gone)).status).toBe(404);
    const { setId } = await service.addSet();
    const user = await service.identity.user('others');
    const { recording } = (await upload(service.server, user, answer, { setId })).body;
    await service.models.recordings.updateOne({ _id: recording._id }, { $set: { 'original.key': 'nowhere' } });
    const response = await request(service.server).get(recording.audioUrl);
    expect(response.status).toBe(404);
    expect(response.body.message).toBe('Recording not found');
  });

  it('for a malformed id', async () => {
    expect((await request(service.server).get(`${path('1')}?token=x`)).status).toBe(400);
  });
});

it('closing a player ends the transfer from the object store', async () => {
  const body = new PassThrough();
  // Send only this much, so that the transfer stays in progress until it is ended.
  body.write(answer.subarray(0, 1000));
  let signal: AbortSignal | undefined;
  const server = await service.listen({
    store: {
      ...service.store,
      async get(_key, options): Promise<Readable> {
        signal = options?.signal;
        return body;
      },
    },
  });
  const listening = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', path: url });
  const [response] = await once(listening, 'response');
  await once(response, 'data');
  const closed = new Promise((resolve) => body.once('close', resolve));
  body.on('error', () => {});
  response.on('error', () => {});
  listening.destroy();
  await closed;
  expect(signal?.aborted).toBe(true);
});
