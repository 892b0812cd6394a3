/**
 * The address for the player: the link without its token, which servers and browsers would log. The response with the
 * link has set a cookie that authorizes the same media.
 */
export function mediaAddress(link: string): string {
  return link.split('?', 1)[0] ?? '';
}

/** How a recording is played: with the audio player, with the video player, or not at all. */
export type MediaKind = 'audio' | 'video' | 'unsupported';

const kinds = new Map<string, MediaKind>([
  ['application/ogg', 'audio'],
  ['video/mp4', 'video'],
  ['video/ogg', 'video'],
  ['video/quicktime', 'video'],
  ['video/webm', 'video'],
]);

/**
 * The player for a media type such as 'video/webm;codecs=vp8,opus': MP3 and every other audio type play as audio,
 * WebM and MP4 video as video. Source: product specification, section 2, /practiceInterviews/{practiceId}.
 */
export function mediaKind(mediaType: string): MediaKind {
  const essence = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return kinds.get(essence) ?? (/^audio\/.+/.test(essence) ? 'audio' : 'unsupported');
}
