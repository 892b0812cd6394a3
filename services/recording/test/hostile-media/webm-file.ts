/** A number in EBML's length encoding, always with eight bytes here. RFC 8794, section 4. */
function length(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value) | (1n << 56n));
  return bytes;
}

const unknownLength = Buffer.from('01ffffffffffffff', 'hex');

/** An EBML element. @param id its identifier in hexadecimal */
export function element(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id, 'hex'), length(body.length), body]);
}

/** An EBML element that declares a wrong length; null for an unknown length. */
export function elementOfLength(id: string, declared: number | null, ...content: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), declared === null ? unknownLength : length(declared), ...content]);
}

const byte = (value: number): Buffer => Buffer.from([value]);

const ebmlHeader = element(
  '1a45dfa3',
  element('4286', byte(1)),
  element('42f7', byte(1)),
  element('42f2', byte(4)),
  element('42f3', byte(8)),
  // With a one-byte length, as browsers write it.
  Buffer.from('4282847765626d', 'hex'),
  element('4287', byte(4)),
  element('4285', byte(2)),
);

const opusHead = Buffer.concat([Buffer.from('OpusHead'), Buffer.from('0101380180bb0000000000', 'hex')]);

/** A WebM file with one Opus track. @param clusters its media. @param track more elements of the track */
export function webmFile(clusters: Buffer[], track: Buffer[] = [], codecPrivate = opusHead): Buffer {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(48_000);
  const entry = element(
    'ae',
    element('d7', byte(1)),
    element('73c5', byte(1)),
    element('83', byte(2)),
    element('86', Buffer.from('A_OPUS')),
    element('63a2', codecPrivate),
    element('e1', element('b5', rate), element('9f', byte(1))),
    ...track,
  );
  const info = element('1549a966', element('2ad7b1', Buffer.from('0f4240', 'hex')));
  const segment = Buffer.concat([info, element('1654ae6b', entry), ...clusters]);
  return Buffer.concat([ebmlHeader, elementOfLength('18538067', null, segment)]);
}

/** A cluster of blocks. @param atMs its time */
export function cluster(atMs: number, blocks: Buffer[]): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(atMs));
  return element('1f43b675', element('e7', time), ...blocks);
}

/** A block of the only track. @param atMs relative to its cluster, below 32,768. @param lacing 0 for none, 2 for fixed, 4 for Xiph, 6 for EBML */
export function block(atMs: number, data: Buffer, lacing = 0): Buffer {
  return element('a3', Buffer.from([0x81, atMs >> 8, atMs & 0xff, 0x80 | lacing]), data);
}
