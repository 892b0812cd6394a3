import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** The texts of all files of a zip file, one after another. Enough for what the product makes; no ZIP64. */
export function textsInZip(zip: Buffer): string {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < 0) throw new Error('This is not a zip file');
  const texts: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === directoryEntry) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    texts.push((method === 8 ? inflateRawSync(content) : content).toString());
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return texts.join('\n');
}
