import { expect, it } from 'vitest';
import { parseLiveStatus } from './live-status.ts';

const status = { sessionId: 's', recordingId: 'r', stage: 'transcription', status: 'started' };

it('reads a recording message', () => {
  expect(parseLiveStatus('recording', JSON.stringify(status))).toEqual(status);
});

it.each([
  ['heartbeat', '{}'],
  ['message', JSON.stringify(status)],
  ['recording', ''],
  ['recording', 'not json'],
  ['recording', 'null'],
  ['recording', JSON.stringify({ ...status, stage: 'polishing' })],
])('ignores %s %s', (event, data) => {
  expect(parseLiveStatus(event, data)).toBeNull();
});
