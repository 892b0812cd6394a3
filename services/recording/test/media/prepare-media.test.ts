import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { measureSound } from '../../src/media/measure-sound.ts';
import { extractSound, prepareMedia } from '../../src/media/prepare-media.ts';
import { probeMedia } from '../../src/media/probe-media.ts';
import type { Container } from '../../src/media/sniff-media.ts';
import { ffmpeg, speakAsWebm, temporaryFolder } from '../engines/spoken-answer.ts';

const { signal } = new AbortController();
async function prepare(path: string, container: Container, folder: string) {
  const facts = await probeMedia(path, container, { signal });
  return { facts, prepared: await prepareMedia(path, container, facts, folder, { signal }) };
}
const picture = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=10:d=3'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2'];

describe('prepareMedia', () => {
  it.each(['playable.wav', 'sound.wav'])(
    'treats a disk that fills up under %s as an outage, not as a damaged file',
    async (name) => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'answer.wav');
      await ffmpeg(...tone, path);
      await symlink('/dev/full', join(folder.path, name));
      await expect(prepare(path, 'wav', folder.path)).rejects.toMatchObject({ status: 503, outage: 'disk' });
    },
  );

  it('gives a MediaRecorder file a duration and an index, and extracts its sound', async () => {
    await using folder = await temporaryFolder();
    const path = await speakAsWebm('This is a test of the recording.', folder.path);
    const { facts, prepared } = await prepare(path, 'webm', folder.path);
    expect(facts).toEqual({
      container: 'matroska,webm',
      audioCodec: 'opus',
      videoCodec: null,
      hasAudio: true,
      hasVideo: false,
      durationMs: null,
      declared: { streams: 1, sampleRate: 48_000, channels: 1, seconds: 0, samples: 0, bytes: 0 },
    });
    expect(prepared.playable).toMatchObject({ mediaType: 'audio/webm', extension: 'webm' });
    const after = await probeMedia(prepared.playable.path, 'webm', { signal });
    expect(after.durationMs).toBeGreaterThan(1000);
    expect(Math.abs(after.durationMs! - prepared.durationMs!)).toBeLessThan(100);
    // 0x1C53BB6B starts the cues, 0x1F43B675 a cluster: the index comes first, so a player can seek immediately.
    const bytes = await readFile(prepared.playable.path);
    const cues = bytes.indexOf(Buffer.from('1c53bb6b', 'hex'));
    expect(cues).toBeGreaterThan(0);
    expect(cues).toBeLessThan(bytes.indexOf(Buffer.from('1f43b675', 'hex')));
    const sound = await measureSound(prepared.wavPath!, signal);
    expect(Math.abs(sound.durationMs - prepared.durationMs!)).toBeLessThan(100);
    const { stdout } = await promisify(execFile)('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=sample_rate,channels,codec_name',
      '-of',
      'csv=p=0',
      prepared.wavPath!,
    ]);
    expect(stdout.trim()).toBe('pcm_s16le,16000,1');
  });

  it.each([
    [
      'webm',
      [...picture, ...tone, '-c:v', 'libvpx', '-c:a', 'libopus', '-f', 'webm', '-live', '1'],
      'video/webm',
      3000,
    ],
    ['webm', [...picture, '-c:v', 'libvpx', '-f', 'webm', '-live', '1'], 'video/webm', 3000],
    [
      'mp4',
      [
        ...picture,
        ...tone,
        '-pix_fmt',
        'yuv420p',
        '-c:v',
        'libx264',
        '-c:a',
        'aac',
        '-f',
        'mp4',
        '-movflags',
        'frag_keyframe+empty_moov',
      ],
      'video/mp4',
      3000,
    ],
    ['mp4', [...tone, '-c:a', 'aac', '-f', 'mp4'], 'audio/mp4', 2000],
    ['ogg', [...tone, '-c:a', 'libopus', '-f', 'ogg'], 'audio/ogg', 2000],
    ['mp3', [...tone, '-c:a', 'libmp3lame', '-f', 'mp3'], 'audio/mpeg', 2000],
    ['wav', [...tone, '-f', 'wav'], 'audio/wav', 2000],
  ] as const)(
    'handles %s (%#): the same bytes each time, without metadata',
    async (container, args, mediaType, durationMs) => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'recording');
      const secret = 'Jane Doe at home';
      const metadata = ['title', 'artist', 'comment'].flatMap((name) => ['-metadata', `${name}=${secret}`]);
      await ffmpeg(...args, ...metadata, '-metadata', 'creation_time=2026-01-01T00:00:00Z', path);
      expect((await readFile(path)).includes(secret)).toBe(true);
      const runs = ['first', 'second'].map(async (run) => {
        const to = join(folder.path, run);
        await mkdir(to);
        const { facts, prepared } = await prepare(path, container, to);
        const sound = prepared.wavPath === null ? null : await readFile(prepared.wavPath);
        return { facts, prepared, playable: await readFile(prepared.playable.path), sound };
      });
      const [first, second] = await Promise.all(runs);
      const { facts, prepared, playable, sound } = first!;
      expect(prepared.playable.mediaType).toBe(mediaType);
      expect(Math.abs(prepared.durationMs! - durationMs)).toBeLessThan(150);
      const after = await probeMedia(prepared.playable.path, container, { signal });
      const unlike = { durationMs: null, declared: null };
      expect({ ...after, ...unlike }).toEqual({ ...facts, ...unlike });

      expect(playable.equals(second!.playable)).toBe(true);
      expect(playable.includes(secret)).toBe(false);
      expect(sound === null).toBe(!facts.hasAudio);
      if (sound === null) return;
      expect(sound.equals(second!.sound!)).toBe(true);
      // PocketSphinx skips 44 bytes and reads the rest as samples, so they must begin there.
      expect(sound.indexOf('data')).toBe(36);
      expect(sound.includes('LIST')).toBe(false);
    },
  );

  it('moves the index of an MP4 before its media', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'recording.mp4');
    await ffmpeg(...tone, '-c:a', 'aac', path);
    const { prepared } = await prepare(path, 'mp4', folder.path);
    const bytes = await readFile(prepared.playable.path);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  it('moves H.264 out of WebM, where players do not expect it', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'recording.webm');
    await ffmpeg(
      ...picture,
      ...tone,
      '-pix_fmt',
      'yuv420p',
      '-c:v',
      'libx264',
      '-c:a',
      'libopus',
      '-f',
      'matroska',
      path,
    );
    const { prepared } = await prepare(path, 'webm', folder.path);
    expect(prepared.playable).toMatchObject({ mediaType: 'video/mp4', extension: 'mp4' });
  });

  it('does not mistake a cover picture for video', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'recording.mp3');
    await ffmpeg(
      ...tone,
      '-f',
      'lavfi',
      '-i',
      'color=c=red:s=64x64:d=1',
      '-map',
      '0:a',
      '-map',
      '1:v',
      '-frames:v',
      '1',
      '-c:v',
      'png',
      '-disposition:v',
      'attached_pic',
      path,
    );
    const { facts, prepared } = await prepare(path, 'mp3', folder.path);
    expect(facts.hasVideo).toBe(false);
    expect(prepared.playable.mediaType).toBe('audio/mpeg');
  });

  it('keeps the readable part of a truncated recording', async () => {
    await using folder = await temporaryFolder();
    const path = await speakAsWebm(
      'This sentence is going to be cut off before it comes to its end, as when a browser dies.',
      folder.path,
    );
    await truncate(path, Math.floor((await readFile(path)).length * 0.6));
    const { prepared } = await prepare(path, 'webm', folder.path);
    expect(prepared.durationMs).toBeGreaterThan(1500);
  });

  it.each([
    [
      'webm',
      Buffer.concat([
        Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
        Buffer.alloc(2000),
      ]),
    ],
    ['mp4', Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1'), Buffer.alloc(2000, 'mdat')])],
    ['ogg', Buffer.concat([Buffer.from('OggS\0', 'latin1'), Buffer.alloc(2000, 7)])],
    ['wav', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), Buffer.alloc(2000)])],
  ] as const)('reports that a %s is damaged', async (container, bytes) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'damaged');
    await writeFile(path, bytes);
    await expect(prepare(path, container, folder.path)).rejects.toMatchObject({
      name: 'MediaError',
      permanent: true,
      message: expect.stringMatching(/^The recording (is damaged and cannot be read|has neither audio nor video)\.$/),
    });
  });

  it('never follows a URL inside a file', async () => {
    await using folder = await temporaryFolder();
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const playlist = join(folder.path, 'list.webm');
    await writeFile(
      playlist,
      `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${address}/segment.ts\n#EXT-X-ENDLIST\n`,
    );
    const concat = join(folder.path, 'concat.webm');
    await writeFile(concat, `ffconcat version 1.0\nfile '${address}/other.webm'\n`);
    for (const path of [playlist, concat]) {
      for (const container of ['webm', null] as const)
        await expect(extractSound(path, container, join(folder.path, 'out.wav'), { signal })).rejects.toMatchObject({
          name: 'MediaError',
        });
    }
    server.close();
    expect(asked).toEqual([]);
  });
});
