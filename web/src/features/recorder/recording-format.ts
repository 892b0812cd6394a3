/** Speech at 40 kbit/s: 10 MB hold about 35 minutes. */
export const audioBitsPerSecond = 40_000;

/** The first that the browser records is taken: WebM/Opus in Chromium and Firefox, MP4/AAC in Safari. */
const wanted = [
  'audio/webm;codecs=opus',
  'audio/webm',
  'audio/mp4;codecs=mp4a.40.2',
  'audio/mp4',
  'audio/ogg;codecs=opus',
] as const;

/** The media type to record in; undefined lets the browser choose. */
export function recordingMediaType(isTypeSupported: (type: string) => boolean): string | undefined {
  return wanted.find((type) => isTypeSupported(type));
}
