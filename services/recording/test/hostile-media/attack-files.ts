import { deflateSync } from 'node:zlib';
import type { Container } from '../../src/media/sniff-media.ts';
import { box, mp4File, u32 } from './mp4-file.ts';
import { oggPage, opusHead, opusTags } from './ogg-file.ts';
import { block, cluster, element, elementOfLength, webmFile } from './webm-file.ts';

/** A file designed to cost the server more than an answer. */
export interface AttackFile {
  name: string;
  container: Container;
  /** Set if the file is only unusual, and is processed. */
  harmless?: true;
  make: () => Buffer;
}

const megabyte = 1024 * 1024;

/** An Opus packet of 120 ms in two bytes: six frames without data. RFC 6716, section 3.2.5. */
const longPacket = Buffer.from([0x0b, 0x06]);
/** An Opus packet of 20 ms. */
const shortPacket = Buffer.from([0x08, 0xff, 0xfe]);

function wavFile(
  format: { channels?: number; rate?: number; bits?: number; code?: number },
  sizeBytes: number,
): Buffer {
  const { channels = 1, rate = 8000, bits = 8, code = 1 } = format;
  const bytes = Buffer.alloc(sizeBytes, 0x80);
  bytes.write('RIFF');
  bytes.writeUInt32LE(sizeBytes - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(code, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE((rate * channels * bits) >>> 3, 28);
  bytes.writeUInt16LE(((channels * bits) >>> 3) & 0xffff, 32);
  bytes.writeUInt16LE(bits, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(sizeBytes - 44, 40);
  return bytes;
}

const chunks = (count: number): number[] => new Array<number>(count).fill(0);

/** A second of valid audio, for an otherwise crafted MP4. */
const second = { times: [47, 1024], samples: { size: 100, count: 47 }, samplesPerChunk: 47, chunkOffsets: [0] };

/** Elements nested to a depth. */
function nested(depth: number, wrap: (inner: Buffer) => Buffer, innermost: Buffer): Buffer {
  let inner = innermost;
  for (let level = 0; level < depth; level++) inner = wrap(inner);
  return inner;
}

/** The compression of a Matroska track's blocks. @param algorithm 0 for zlib, 3 for header stripping */
const contentEncoding = (algorithm: number, settings = Buffer.alloc(0)): Buffer =>
  element(
    '6d80',
    element('6240', element('5034', element('4254', Buffer.from([algorithm])), element('4255', settings))),
  );

const oggOpus = (...pages: Buffer[]): Buffer =>
  Buffer.concat([
    oggPage(opusHead, { number: 0, granule: 0n, flags: 2 }),
    oggPage(opusTags, { number: 1, granule: 0n }),
    ...pages,
  ]);

/** Files that need more disk, memory or time than an answer, and some that are just malformed. */
export const attackFiles: readonly AttackFile[] = [
  {
    name: 'an MP4 of 8.4 MB whose 700 chunks point at one sample',
    container: 'mp4',
    make: () =>
      mp4File(Buffer.alloc(8.4e6, 0x21), {
        times: [700, 1024],
        samples: { size: 8.4e6, count: 700 },
        samplesPerChunk: 1,
        chunkOffsets: chunks(700),
        duration: 700 * 1024,
      }),
  },
  {
    name: 'an MP4 whose 200,000 chunks point at one small sample',
    container: 'mp4',
    make: () =>
      mp4File(Buffer.alloc(20_000, 0x21), {
        times: [200_000, 1],
        samples: { size: 20_000, count: 200_000 },
        samplesPerChunk: 1,
        chunkOffsets: chunks(200_000),
      }),
  },
  {
    name: 'an MP4 of 4.7 kB that declares 60 million samples',
    container: 'mp4',
    make: () =>
      mp4File(Buffer.alloc(4000, 0x21), {
        times: [60e6, 1],
        samples: { size: 1, count: 60e6 },
        samplesPerChunk: 60e6,
        chunkOffsets: [0],
      }),
  },
  {
    name: 'an MP4 that declares four billion samples in as many chunks',
    container: 'mp4',
    make: () =>
      mp4File(Buffer.alloc(4000, 0x21), {
        times: [0xffffffff, 1],
        samples: { size: 1, count: 0xffffffff },
        samplesPerChunk: 0x7fffffff,
        chunkOffsets: chunks(100),
      }),
  },
  {
    name: 'an MP4 that repeats its samples in 200,000 edits',
    container: 'mp4',
    make: () =>
      mp4File(Buffer.alloc(4700, 0x21), {
        ...second,
        edits: Array.from({ length: 200_000 }, () => [48_000, 0, 0x10000]).flat(),
      }),
  },
  {
    name: 'an MP4 that declares a duration of a day',
    container: 'mp4',
    make: () => mp4File(Buffer.alloc(4700, 0x21), { ...second, times: [47, 88_000_000], duration: 86_400 * 48_000 }),
  },
  {
    name: 'an MP4 of boxes in boxes',
    container: 'mp4',
    make: () =>
      mp4File(Buffer.alloc(4700, 0x21), {
        ...second,
        extra: nested(2000, (inner) => box('udta', box('meta', inner)), Buffer.alloc(8)),
      }),
  },
  {
    name: 'an MP4 with an index of 9 MB of empty tracks',
    container: 'mp4',
    make: () => {
      const track = box('trak', box('tkhd', u32(7, 0, 0, 1, 0, 1, 0, 0, 0, 0)));
      const tracks = new Array<Buffer>(Math.floor((9 * megabyte) / track.length)).fill(track);
      return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1')), box('moov', Buffer.concat(tracks))]);
    },
  },
  {
    name: 'an MP4 whose box is longer than any file',
    container: 'mp4',
    make: () =>
      Buffer.concat([
        box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1')),
        u32(1),
        Buffer.from('moov'),
        u32(0x7fffffff, 0xffffffff),
        Buffer.alloc(4000),
      ]),
  },
  { name: 'a WAV of 2 MB that declares 1 Hz', container: 'wav', make: () => wavFile({ rate: 1 }, 2 * megabyte) },
  {
    name: 'a WAV of 9 MB that declares 4 GHz',
    container: 'wav',
    make: () => wavFile({ rate: 0xf0000000 }, 9 * megabyte),
  },
  { name: 'a WAV with 65,535 channels', container: 'wav', make: () => wavFile({ channels: 65_535 }, 2 * megabyte) },
  { name: 'a WAV with 64 channels', container: 'wav', make: () => wavFile({ channels: 64 }, 9 * megabyte) },
  {
    name: 'a WAV in a codec that makes a minute of each kilobyte',
    container: 'wav',
    make: () => wavFile({ code: 0x22, bits: 1, rate: 192_000 }, 9 * megabyte),
  },
  {
    name: 'a WebM of clusters in clusters',
    container: 'webm',
    make: () => webmFile([nested(2000, (inner) => element('1f43b675', inner), block(0, shortPacket))]),
  },
  {
    name: 'a WebM of tags in tags',
    container: 'webm',
    make: () =>
      webmFile([
        element(
          '1254c367',
          nested(2000, (inner) => element('67c8', inner), Buffer.alloc(8)),
        ),
      ]),
  },
  {
    name: 'a WebM whose blocks declare more than the file',
    container: 'webm',
    make: () =>
      webmFile([
        elementOfLength(
          '1f43b675',
          2 ** 50,
          elementOfLength('a3', 2 ** 40, Buffer.from('81000080', 'hex'), Buffer.alloc(4000)),
        ),
      ]),
  },
  {
    name: 'a WebM of clusters without length, one in another',
    container: 'webm',
    make: () => webmFile([...new Array<Buffer>(50_000).fill(elementOfLength('1f43b675', null)), Buffer.alloc(8)]),
  },
  {
    name: 'a WebM whose blocks unpack to a thousand times their size',
    container: 'webm',
    make: () => {
      const packed = deflateSync(Buffer.alloc(9 * megabyte), { level: 9 });
      return webmFile(
        [
          cluster(
            0,
            Array.from({ length: 800 }, (_, index) => block(index * 20, packed)),
          ),
        ],
        [contentEncoding(0)],
      );
    },
  },
  {
    name: 'a WebM whose every frame begins with a megabyte that is left out',
    container: 'webm',
    make: () =>
      webmFile(
        [
          cluster(
            0,
            Array.from({ length: 3000 }, (_, index) => block(index, shortPacket)),
          ),
        ],
        [contentEncoding(3, Buffer.alloc(megabyte, 8))],
      ),
  },
  {
    name: 'a WebM with 255 frames of no bytes in each block',
    container: 'webm',
    make: () => {
      const laced = Buffer.concat([Buffer.from([254]), Buffer.alloc(254)]);
      const blocks = Array.from({ length: 8000 }, (_, index) => block(index, laced, 4));
      return webmFile(Array.from({ length: 4 }, (_, index) => cluster(index * 10_000, blocks)));
    },
  },
  {
    name: 'a WebM of 9 MB in frames of one byte',
    container: 'webm',
    make: () => {
      const frames = 250;
      const laced = Buffer.concat([Buffer.from([frames - 1]), Buffer.alloc(frames, 0x08)]);
      const blocks = Array.from({ length: 1000 }, (_, index) => block(index * 20, laced, 2));
      return webmFile(Array.from({ length: 35 }, (_, index) => cluster(index * 20_000, blocks)));
    },
  },
  {
    name: 'a WebM of 300 kB, without a duration, that unpacks to hours',
    container: 'webm',
    make: () => {
      const laced = Buffer.concat([Buffer.from([249]), ...new Array<Buffer>(250).fill(longPacket)]);
      const blocks = Array.from({ length: 10 }, (_, index) => block(index * 3000, laced, 2));
      return webmFile(Array.from({ length: 55 }, (_, index) => cluster(index * 30_000, blocks)));
    },
  },
  {
    name: 'a WebM whose blocks lie days apart',
    container: 'webm',
    harmless: true,
    make: () =>
      webmFile(Array.from({ length: 500 }, (_, index) => cluster(index * 86_400_000, [block(0, shortPacket)]))),
  },
  {
    name: 'a WebM with 100,000 tracks',
    container: 'webm',
    make: () => {
      const track = element(
        'ae',
        element('d7', Buffer.from([1])),
        element('83', Buffer.from([2])),
        element('86', Buffer.from('A_OPUS')),
      );
      return webmFile([
        element('1654ae6b', Buffer.concat(new Array<Buffer>(100_000).fill(track))),
        cluster(0, [block(0, shortPacket)]),
      ]);
    },
  },
  {
    name: 'a WebM whose codec has a header of 9 MB',
    container: 'webm',
    make: () => webmFile([cluster(0, [block(0, shortPacket)])], [], Buffer.alloc(9 * megabyte, 0x4f)),
  },
  {
    name: 'an Ogg whose last page is at the end of time',
    container: 'ogg',
    make: () =>
      oggOpus(
        ...Array.from({ length: 50 }, (_, index) =>
          oggPage(shortPacket, { number: index + 2, granule: BigInt(index + 1) * 960n }),
        ),
        oggPage(shortPacket, { number: 52, granule: 2n ** 62n, flags: 4 }),
      ),
  },
  {
    name: 'an Ogg whose pages go back in time',
    container: 'ogg',
    make: () =>
      oggOpus(
        ...Array.from({ length: 2000 }, (_, index) =>
          oggPage(shortPacket, { number: index + 2, granule: BigInt(2000 - index) * -(2n ** 40n) }),
        ),
      ),
  },
  {
    name: 'an Ogg with 20,000 streams',
    container: 'ogg',
    make: () =>
      Buffer.concat(
        Array.from({ length: 20_000 }, (_, index) =>
          oggPage(opusHead, { serial: index, number: 0, granule: 0n, flags: 2 }),
        ),
      ),
  },
  {
    name: 'an Ogg of 300 kB that unpacks to hours',
    container: 'ogg',
    make: () =>
      oggOpus(
        ...Array.from({ length: 10_000 }, (_, index) =>
          oggPage(longPacket, { number: index + 2, granule: BigInt(index + 1) * 5760n }),
        ),
      ),
  },
  {
    name: 'an MP3 with a tag that declares 256 MB',
    container: 'mp3',
    make: () => Buffer.concat([Buffer.from('4944330400007f7f7f7f', 'hex'), Buffer.alloc(20_000, 0x41)]),
  },
  {
    name: 'an MP3 of frames that never decode',
    container: 'mp3',
    make: () => {
      const frame = Buffer.alloc(417, 0xff);
      Buffer.from('fffb9000', 'hex').copy(frame);
      return Buffer.concat(new Array<Buffer>(20_000).fill(frame));
    },
  },
];
