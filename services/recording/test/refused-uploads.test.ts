import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { limits } from '@interview-prep/contracts/api/limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
beforeAll(async () => {
  service = await startRecording();
});
afterAll(() => service.close());

/** Begins an upload without a token. @returns the connection and the head of the response */
async function refused(path: string, sizeBytes: number): Promise<{ socket: Socket; answer: string }> {
  const socket = connect((service.server.address() as AddressInfo).port, '127.0.0.1');
  const head = ['Host: recording', `Content-Length: ${sizeBytes}`, 'Content-Type: multipart/form-data; boundary=edge'];
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n--edge`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return { socket, answer: answer.toString() };
}

const paths = ['/api/interviews/recordings', '/api/practice/recordings'];

it('a rejected upload gets its response before its end, and is cut off if the end does not come soon', async () => {
  // Side by side, since each takes seconds.
  const answers = await Promise.all(
    paths.map(async (path) => {
      const { socket, answer } = await refused(path, 1_000_000);
      await once(socket, 'close');
      return answer;
    }),
  );
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 401 /);
});

describe.each(paths)('a rejected upload to %s', (path) => {
  it.each([
    ['a usual upload', 2_000_000],
    ['one of the largest size', limits.recordingMaxBytes + 10_000],
  ])('is read to its end, and the connection stays usable: %s', async (_name, sizeBytes) => {
    const { socket } = await refused(path, sizeBytes);
    socket.write(Buffer.alloc(sizeBytes - '--edge'.length));
    socket.write('GET /healthz HTTP/1.1\r\nHost: recording\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it('is cut off if it sends too much', async () => {
    const { socket } = await refused(path, 1_000_000_000);
    // The connection may be reset while data is still being written.
    const errors: unknown[] = [];
    socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code));
    socket.write(Buffer.alloc(64_000_000));
    await expect.poll(() => socket.destroyed).toBe(true);
    expect(['ECONNRESET', 'EPIPE', undefined]).toContain(errors[0]);
  });
});
