/** A generator of pseudo-random numbers from 0 to 1 (mulberry32): the same seed gives the same numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const extremes = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

type Change = (bytes: Buffer, at: number, random: () => number) => Buffer;

const changes: readonly Change[] = [
  // A flipped bit.
  (bytes, at, random) => {
    bytes[at]! ^= 1 << Math.floor(random() * 8);
    return bytes;
  },
  // An extreme length or count.
  (bytes, at, random) => {
    const value = extremes[Math.floor(random() * extremes.length)]!;
    const from = Math.min(at, bytes.length - 4);
    if (random() < 0.5) bytes.writeUInt32BE(value, from);
    else bytes.writeUInt32LE(value, from);
    return bytes;
  },
  (bytes, at, random) => {
    const end = Math.min(bytes.length, at + 1 + Math.floor(random() * 16));
    for (let index = at; index < end; index++) bytes[index] = Math.floor(random() * 256);
    return bytes;
  },
  // A part repeated many times.
  (bytes, at, random) => {
    const part = bytes.subarray(at, at + 1 + Math.floor(random() * 2000));
    const times = 1 + Math.floor(random() ** 4 * 200);
    return Buffer.concat([bytes.subarray(0, at), ...new Array<Buffer>(times).fill(part), bytes.subarray(at)]);
  },
  // A part removed.
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + Math.floor(random() * 500))]),
  // Truncated, or filled with zeros from a position.
  (bytes, at, random) =>
    random() < 0.5 ? bytes.subarray(0, at) : Buffer.concat([bytes.subarray(0, at), Buffer.alloc(bytes.length - at)]),
];

/** A damaged copy of a file. Half of the damage is in its first or last kilobytes, where containers keep their headers. */
export function mutate(file: Buffer, seed: number): Buffer {
  const random = randomNumbers(seed);
  let bytes = Buffer.from(file);
  const count = 1 + Math.floor(random() * 6);
  for (let index = 0; index < count && bytes.length > 16; index++) {
    const place = random();
    const span = Math.min(2000, bytes.length);
    const at =
      place < 0.35
        ? Math.floor(random() * span)
        : place < 0.5
          ? bytes.length - 1 - Math.floor(random() * span)
          : Math.floor(random() * bytes.length);
    bytes = Buffer.from(changes[Math.floor(random() * changes.length)]!(bytes, at, random));
  }
  return bytes;
}
