import { uploadMessages } from '@interview-prep/contracts/recordings';
import { expect, test } from 'vitest';
import { messages } from '../../app/messages.ts';
import { NoMicrophoneError } from './microphone.ts';
import { microphoneAdvice, microphoneProblem } from './microphone-problem.ts';
import { audioBitsPerSecond, recordingMediaType } from './recording-format.ts';
import { isHeard, soundLevel } from './sound-level.ts';

test('browser and server refuse in the same words', () => {
  expect(messages.recorder).toMatchObject({
    tooShort: uploadMessages.tooShort,
    tooLarge: uploadMessages.tooLarge,
    missingData: uploadMessages.missingData,
  });
});

test('Chromium records WebM, Safari MP4, and an unknown browser what it likes', () => {
  expect(recordingMediaType(() => true)).toBe('audio/webm;codecs=opus');
  expect(recordingMediaType((type) => type.startsWith('audio/mp4'))).toBe('audio/mp4;codecs=mp4a.40.2');
  expect(recordingMediaType(() => false)).toBeUndefined();
});

test('ten megabytes hold at least half an hour of speech', () => {
  const minutes = (10 * 1024 * 1024 * 8) / audioBitsPerSecond / 60;
  expect(minutes).toBeGreaterThan(30);
});

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'missing'],
  ['NotReadableError', 'busy'],
  ['SomethingNew', 'unknown'],
])('%s means that the microphone is %s', (name, problem) => {
  expect(microphoneProblem(new DOMException('', name))).toBe(problem);
});

test('every problem has a title and says what to do', () => {
  for (const { title, advice } of Object.values(microphoneAdvice)) {
    expect(title).not.toBe('');
    expect(advice.length).toBeGreaterThan(20);
  }
  expect(new NoMicrophoneError('insecure').problem).toBe('insecure');
});

const tone = (amplitude: number) => Float32Array.from({ length: 1024 }, (_, index) => amplitude * Math.sin(index / 5));

test('the meter goes from silence to full', () => {
  expect(soundLevel(new Float32Array(1024))).toBe(0);
  expect(soundLevel(new Float32Array(0))).toBe(0);
  expect(soundLevel(tone(0.1))).toBeGreaterThan(soundLevel(tone(0.01)));
  expect(soundLevel(tone(1))).toBeLessThanOrEqual(1);
});

test("speech is heard, a room's hiss is not", () => {
  expect(isHeard(soundLevel(tone(0.1)))).toBe(true);
  expect(isHeard(soundLevel(tone(0.001)))).toBe(false);
});
