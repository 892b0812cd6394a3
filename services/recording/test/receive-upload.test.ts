import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveUpload } from '../src/uploads/receive-upload.ts';
import { openWorkFolder, type WorkFolder } from '../src/work-folder.ts';

let spoolDir: string;
let spool: WorkFolder;

beforeEach(async () => {
  spoolDir = await mkdtemp(join(tmpdir(), 'recording-test-'));
  spool = await openWorkFolder(spoolDir, 'uploads');
});
afterEach(() => rm(spoolDir, { recursive: true, force: true }));

const body = [
  '--edge\r\nContent-Disposition: form-data; name="audio"; filename="a.webm"\r\n\r\n',
  'sound'.repeat(1000),
  '\r\n--edge--\r\n',
].join('');

/** A request on the server that the client has sent completely, but of which nothing has been read. */
async function sentRequest(): Promise<IncomingMessage & AsyncDisposable> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const type = 'Content-Type: multipart/form-data; boundary=edge';
  client.write(`POST / HTTP/1.1\r\nHost: here\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  await expect.poll(() => request.complete).toBe(true);
  return Object.assign(request, {
    async [Symbol.asyncDispose]() {
      client.destroy();
      server.closeAllConnections();
      server.close();
    },
  });
}

it('an upload is received', async () => {
  await using request = await sentRequest();
  expect(await receiveUpload(request, 'audio', spool)).toMatchObject({ fields: {}, file: { sizeBytes: 5000 } });
});

it('an upload whose client disconnected before it was read completely is rejected, not awaited', async () => {
  await using request = await sentRequest();
  request.destroy();
  await once(request, 'close');
  await expect(receiveUpload(request, 'audio', spool)).rejects.toMatchObject({ status: 400 });
  expect(await readdir(join(spoolDir, 'uploads'))).toEqual([]);
});
