/** The checksum of Ogg pages. RFC 3533, section 6. */
const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

const checksum = (bytes: Buffer): number =>
  bytes.reduce((sum, value) => ((sum << 8) ^ table[((sum >>> 24) ^ value) & 0xff]!) >>> 0, 0);

/** A page of an Ogg file with one packet of less than 64 kB. @param flags 2 for a stream's first page, 4 for its last */
export function oggPage(
  packet: Buffer,
  page: { serial?: number; number: number; granule: bigint; flags?: number },
): Buffer {
  const lacing = [...new Array<number>(Math.floor(packet.length / 255)).fill(255), packet.length % 255];
  const head = Buffer.alloc(27);
  head.write('OggS');
  head[5] = page.flags ?? 0;
  head.writeBigInt64LE(page.granule, 6);
  head.writeUInt32LE(page.serial ?? 1, 14);
  head.writeUInt32LE(page.number, 18);
  head[26] = lacing.length;
  const bytes = Buffer.concat([head, Buffer.from(lacing), packet]);
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

export const opusHead = Buffer.from('4f707573486561640101380180bb0000000000', 'hex');
export const opusTags = Buffer.concat([Buffer.from('OpusTags'), Buffer.from('0000000000000000', 'hex')]);
