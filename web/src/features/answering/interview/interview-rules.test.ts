import { uploadMessages } from '@interview-prep/contracts/recording/recordings';
import { expect, test } from 'vitest';
import { messages } from '../../../lib/messages.ts';
import { microphoneAdvice } from './microphone-help.tsx';

test('browser and server reject with the same messages', () => {
  expect(messages.recorder).toMatchObject({
    tooShort: uploadMessages.tooShort,
    tooLarge: uploadMessages.tooLarge,
    missingData: uploadMessages.missingData,
  });
});

test('every problem has a title and advice', () => {
  for (const { title, advice } of Object.values(microphoneAdvice)) {
    expect(title).not.toBe('');
    expect(advice.length).toBeGreaterThan(20);
  }
});
