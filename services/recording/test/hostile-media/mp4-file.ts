/** An MP4 box: length, type and content. ISO/IEC 14496-12, section 4.2. */
export function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** A list of 32-bit numbers. It may be longer than the maximum number of arguments. */
function u32List(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

/** 32-bit numbers. */
export function u32(...values: number[]): Buffer {
  return u32List(values);
}

const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));

const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** AAC-LC, 48 kHz, one channel. */
const esds = Buffer.from('03190001000411401500000000000000000000000005021188060102', 'hex');

/** The declarations of an MP4 file's only track. All other boxes are valid. */
export interface Mp4Track {
  /** Pairs of sample count and duration. */
  times: number[];
  /** The size of each sample, and the number of samples. */
  samples: { size: number; count: number };
  /** Samples in each chunk. */
  samplesPerChunk: number;
  /** The offset of each chunk in the media. */
  chunkOffsets: number[];
  timescale?: number;
  duration?: number;
  /** Triples of an edit list: duration, media time, rate. */
  edits?: number[];
  /** Raw bytes added to the track. */
  extra?: Buffer;
}

const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isomiso2mp41', 'latin1'));

/** An MP4 file with one track of AAC. */
export function mp4File(media: Buffer, track: Mp4Track): Buffer {
  const { times, samples, samplesPerChunk, chunkOffsets, timescale = 48_000, duration = 48_000 } = track;
  const mediaAt = ftyp.length + 8;
  const sampleEntry = box(
    'mp4a',
    u32(0),
    u16(0, 1),
    u32(0, 0),
    u16(1, 16, 0, 0),
    u32(48_000 * 0x10000),
    box('esds', u32(0), esds),
  );
  const stbl = box(
    'stbl',
    box('stsd', u32(0, 1), sampleEntry),
    box('stts', u32(0, times.length / 2, ...times)),
    box('stsc', u32(0, 1, 1, samplesPerChunk, 1)),
    box('stsz', u32(0, samples.size, samples.count)),
    box('stco', u32(0, chunkOffsets.length), u32List(chunkOffsets.map((offset) => mediaAt + offset))),
  );
  const minf = box('minf', box('smhd', u32(0, 0)), box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))), stbl);
  const mdia = box(
    'mdia',
    box('mdhd', u32(0, 0, 0, timescale, duration), u16(0x55c4, 0)),
    box('hdlr', u32(0, 0), Buffer.from('soun'), u32(0, 0, 0), Buffer.from('s\0')),
    minf,
  );
  const edts = track.edits ? [box('edts', box('elst', u32(0, track.edits.length / 3), u32List(track.edits)))] : [];
  const tkhd = box('tkhd', u32(7, 0, 0, 1, 0, duration, 0, 0, 0, 0x01000000), matrix, u32(0, 0));
  const mvhd = box(
    'mvhd',
    u32(0, 0, 0, timescale, duration, 0x10000, 0x01000000, 0, 0),
    matrix,
    u32(0, 0, 0, 0, 0, 0, 2),
  );
  const moov = box('moov', mvhd, box('trak', tkhd, ...edts, mdia, track.extra ?? Buffer.alloc(0)));
  return Buffer.concat([ftyp, box('mdat', media), moov]);
}
