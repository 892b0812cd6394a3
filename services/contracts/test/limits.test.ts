import { expect, test } from 'vitest';
import { limits } from '../src/api/limits.ts';

test('limits are as specified', () => {
  expect(limits).toMatchObject({
    recordingMinBytes: 1000,
    recordingMaxBytes: 10 * 1024 * 1024,
    passwordMinLength: 8,
    technologiesPerUser: 3,
    interviewSetsPerPage: 10,
  });
});
