import type { Random } from '../random.ts';

const SAMPLE_RATE = 16_000;
const SAMPLES = 2400;
const HEADER_BYTES = 44;

/**
 * A WAV file of 0.15 s in which nobody speaks: the worker handles it as any other, and needs no speech engine for it. Random
 * samples of one bit make each file's bytes its own.
 */
export function makeSilence(random: Random): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(HEADER_BYTES + SAMPLES * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(SAMPLES * 2, 40);
  for (let at = HEADER_BYTES; at < file.length; at += 2) file.writeInt16LE(random.below(2), at);
  return new Uint8Array(file);
}
