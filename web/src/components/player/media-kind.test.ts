import { expect, it } from 'vitest';
import { mediaKind } from './media-kind.ts';

it.each([
  ['audio/mpeg', 'audio'],
  ['audio/mp3', 'audio'],
  ['audio/webm;codecs=opus', 'audio'],
  ['application/ogg', 'audio'],
  ['video/webm', 'video'],
  ['VIDEO/WebM; codecs="vp8,opus"', 'video'],
  ['video/mp4', 'video'],
  ['video/x-msvideo', 'unsupported'],
  ['image/png', 'unsupported'],
  ['audio/', 'unsupported'],
  ['constructor', 'unsupported'],
  ['', 'unsupported'],
])('plays %j as %s', (mediaType, kind) => {
  expect(mediaKind(mediaType)).toBe(kind);
});
