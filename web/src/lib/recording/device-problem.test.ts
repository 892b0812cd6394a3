import { expect, test } from 'vitest';
import { deviceProblem } from './device-problem.ts';
import { inputProblem, NoMicrophoneError } from './microphone.ts';

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'missing'],
  ['NotReadableError', 'busy'],
  ['SomethingNew', 'unknown'],
])('%s means that the device is %s', (name, problem) => {
  expect(deviceProblem(new DOMException('', name))).toBe(problem);
});

test('a page that cannot record says why', () => {
  expect(inputProblem(new NoMicrophoneError('insecure'))).toBe('insecure');
  expect(inputProblem(new DOMException('', 'NotAllowedError'))).toBe('denied');
});
