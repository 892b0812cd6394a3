import { limits } from '@interview-prep/contracts/api/limits';
import { expect, test } from 'vitest';
import { timeLeft } from '../../features/answering/session/recording-indicator.tsx';
import { audioFormat, recordingMediaType, secondsInLimit, videoFormat } from './media-recording.ts';

test('Chromium records WebM, Safari MP4, and an unknown browser its own default', () => {
  const inMp4 = (type: string) => type.includes('/mp4');
  expect(recordingMediaType(audioFormat, () => true)).toBe('audio/webm;codecs=opus');
  expect(recordingMediaType(audioFormat, inMp4)).toBe('audio/mp4;codecs=mp4a.40.2');
  expect(recordingMediaType(videoFormat, () => true)).toBe('video/webm;codecs=vp8,opus');
  expect(recordingMediaType(videoFormat, inMp4)).toBe('video/mp4;codecs=avc1.42E01E,mp4a.40.2');
  expect(recordingMediaType(videoFormat, () => false)).toBeUndefined();
});

test('ten megabytes hold half an hour of speech, or five minutes of video', () => {
  expect(secondsInLimit(audioFormat)).toBeGreaterThan(30 * 60);
  expect(secondsInLimit(videoFormat)).toBeGreaterThan(5 * 60);
});

test.each([
  [0.5, 300, '5 minutes'],
  [0.85, 340, '1 minute'],
  [0.9, 300, '30 seconds'],
  [0.99, 300, 'a few seconds'],
])('%d of the space used after %i s: %s', (share, seconds, words) => {
  expect(timeLeft(limits.recordingMaxBytes * share, seconds)).toBe(words);
});
