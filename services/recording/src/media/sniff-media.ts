import { open } from 'node:fs/promises';

/** The accepted containers. */
export type Container = 'webm' | 'mp4' | 'ogg' | 'mp3' | 'wav';

/** A file type detected from the first bytes. Only probing shows whether there is video: until then all count as audio. */
export interface SniffedMedia {
  container: Container;
  mediaType: string;
  /** Without the dot. */
  extension: string;
}

const kinds: Record<Container, Omit<SniffedMedia, 'container'>> = {
  webm: { mediaType: 'audio/webm', extension: 'webm' },
  mp4: { mediaType: 'audio/mp4', extension: 'mp4' },
  ogg: { mediaType: 'audio/ogg', extension: 'ogg' },
  mp3: { mediaType: 'audio/mpeg', extension: 'mp3' },
  wav: { mediaType: 'audio/wav', extension: 'wav' },
};

const text = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** EBML with the document type webm, not any other Matroska. RFC 8794, section 11.2. */
const isWebm = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x1a &&
  bytes[1] === 0x45 &&
  bytes[2] === 0xdf &&
  bytes[3] === 0xa3 &&
  text(bytes, 4, 80).includes('\x42\x82\x84webm');

/** Brands of still images, which share MP4's box structure. */
const imageBrands = /^(?:heic|heix|hevc|heim|heis|mif1|msf1|avif|avis|crx )$/;
const isMp4 = (bytes: Uint8Array): boolean => text(bytes, 4, 8) === 'ftyp' && !imageBrands.test(text(bytes, 8, 12));

/** Bitrates in kbit/s of layer III by index, MPEG 1 and MPEG 2. ISO/IEC 11172-3, 13818-3. */
const layer3Bitrates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const sampleRates: Record<number, readonly number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8000],
};

/** The length of the MPEG layer III frame at `at`; null if there is none. */
function mp3FrameLength(bytes: Uint8Array, at: number): number | null {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || ((second >> 1) & 3) !== 1) return null;
  const version = (second >> 3) & 3;
  const bitrate = layer3Bitrates[version === 3 ? 0 : 1][third >> 4];
  const sampleRate = sampleRates[version]?.[(third >> 2) & 3];
  if (!bitrate || !sampleRate) return null;
  return Math.floor(((version === 3 ? 144 : 72) * bitrate * 1000) / sampleRate) + ((third >> 1) & 1);
}

/** An ID3 tag, or two frames in a row, since one frame header may be chance. */
function isMp3(bytes: Uint8Array): boolean {
  if (text(bytes, 0, 3) === 'ID3') return (bytes[3] ?? 0xff) < 0xff && (bytes[4] ?? 0xff) < 0xff;
  const length = mp3FrameLength(bytes, 0);
  return length !== null && mp3FrameLength(bytes, length) !== null;
}

const signatures: readonly (readonly [Container, (bytes: Uint8Array) => boolean])[] = [
  ['webm', isWebm],
  ['mp4', isMp4],
  ['ogg', (bytes) => text(bytes, 0, 5) === 'OggS\0'],
  ['wav', (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WAVE'],
  ['mp3', isMp3],
];

/** Detects a file's type from its first bytes. @returns null for anything but the five containers */
export function sniffMedia(firstBytes: Uint8Array): SniffedMedia | null {
  const signature = signatures.find(([, matches]) => matches(firstBytes));
  return signature ? { container: signature[0], ...kinds[signature[0]] } : null;
}

/** Enough of a file to recognize its type. */
const headBytes = 4096;

/** Detects the type of a file on disk. @returns null for anything but the five containers */
export async function sniffFile(path: string): Promise<SniffedMedia | null> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return sniffMedia(buffer.subarray(0, bytesRead));
}
