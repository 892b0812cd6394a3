import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { limits } from '@interview-prep/contracts/api/limits';
import type { SetSnapshot } from '@interview-prep/contracts/events/snapshots';
import { settings } from '@interview-prep/kit/settings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createVirusScan } from '../src/uploads/virus-scan.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { padded, tone } from './setup/spoken.ts';

/** The test file that every scanner detects. Split, so that no scanner flags this source file. */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('-');

let service: RecordingUnderTest;
let candidate: TestUser;
let set: SetSnapshot;
let answer: Buffer;
let scanner: Server | undefined;
beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  set = await service.addSet();
  answer = await tone(440);
});
afterEach(() => scanner?.close());
afterAll(() => service.close());

/** A self-signed certificate for localhost. */
async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'virus-scan-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject];
  await promisify(execFile)('openssl', [...request, '-keyout', key, '-out', cert]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

/** A scanner's handling of a connection, chunk by chunk. */
type Scanner = (socket: Socket) => void;

/** A server that speaks clamd's INSTREAM, and detects the EICAR file. `scanned` receives the data it was sent. */
const clamd =
  (scanned: Buffer[] = [], maxBytes = Number.POSITIVE_INFINITY): Scanner =>
  (socket) => {
    let unread = Buffer.alloc(0);
    const chunks: Buffer[] = [];
    let size = 0;
    let hasCommand = false;
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes as Buffer]);
      const command = 'zINSTREAM\0';
      if (!hasCommand && unread.length >= command.length) {
        if (unread.subarray(0, command.length).toString() !== command) return socket.end('UNKNOWN COMMAND\0');
        unread = unread.subarray(command.length);
        hasCommand = true;
      }
      while (hasCommand && unread.length >= 4 && unread.length >= 4 + unread.readUInt32BE(0)) {
        const length = unread.readUInt32BE(0);
        chunks.push(Buffer.from(unread.subarray(4, 4 + length)));
        unread = unread.subarray(4 + length);
        size += length;
        if (size > maxBytes) return socket.end('INSTREAM size limit exceeded. ERROR\0');
        if (length > 0) continue;
        const content = Buffer.concat(chunks);
        scanned.push(content);
        return socket.end(`stream: ${content.includes(eicar) ? 'Eicar-Signature FOUND' : 'OK'}\0`);
      }
      return undefined;
    });
  };

/** Sends an upload to a service whose uploads are scanned. */
async function send(file: Buffer, behavior: Scanner | null, timeoutMs?: number) {
  scanner = createServer((socket) => {
    socket.on('error', () => {});
    behavior?.(socket);
  }).listen(0, '127.0.0.1');
  await once(scanner, 'listening');
  const { port } = scanner.address() as AddressInfo;
  if (behavior === null) scanner.close();
  const scanForViruses = createVirusScan(`127.0.0.1:${port}`, service.backing.log, timeoutMs);
  const server = await service.listen({ scanForViruses });
  const sessionId = randomUUID();
  const { status, body, headers } = await upload(server, candidate, file, { setId: set.setId, sessionId });
  return { status, body, headers, stored: await service.models.recordings.countDocuments({ sessionId }) };
}

it('with CLAMAV_ADDRESS an upload is scanned completely, and stored if it is clean', async () => {
  const scanned: Buffer[] = [];
  const largest = await padded(limits.recordingMaxBytes);
  for (const file of [answer, largest]) {
    expect(await send(file, clamd(scanned), 30_000)).toMatchObject({ status: 201, stored: 1 });
  }
  const hashes = [scanned, [answer, largest]].map((files) =>
    files.map((file) => createHash('sha256').update(file).digest('hex')),
  );
  expect(hashes[0]).toEqual(hashes[1]);
});

it('an upload with a virus is rejected with a reason, and nothing of it is stored', async () => {
  const { status, body, stored } = await send(Buffer.concat([answer, Buffer.from(eicar)]), clamd());
  expect({ status, code: body.code, message: body.message, stored }).toEqual({
    status: 415,
    code: 'infected',
    message: 'A virus was found in this recording. Please record your answer on another device.',
    stored: 0,
  });
});

it.each<[string, Scanner | null]>([
  ['is down', null],
  ['hangs', () => {}],
  ['closes the connection', (socket) => socket.destroy()],
  ['ends without a word', (socket) => socket.resume().end()],
  ['takes no stream of this size', clamd([], 1000)],
  ['says something else', (socket) => socket.end('stream: OK, perhaps\0')],
])('if the scanner %s, nothing is stored, and browsers retry', async (_name, behavior) => {
  const { status, headers, stored } = await send(answer, behavior, 500);
  expect({ status, stored }).toEqual({ status: 503, stored: 0 });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

it.each([
  ['clamd:3310', true],
  ['[::1]:3310', true],
  ['tls://clamd.example.com:3311', true],
  ['http://clamd:3310', false],
  ['clamd', false],
])('the address %s is allowed: %s', (address, isAllowed) => {
  expect(settings.CLAMAV_ADDRESS.type.safeParse(address).success).toBe(isAllowed);
});

it('with tls:// an upload is sent to the scanner encrypted, and only with a trusted certificate', async () => {
  const scanned: Buffer[] = [];
  const { key, cert } = await makeCertificate();
  const secure = createTlsServer({ key, cert }, (socket) => {
    socket.on('error', () => {});
    clamd(scanned)(socket);
  }).listen(0, '127.0.0.1');
  secure.on('tlsClientError', () => {});
  onTestFinished(() => void secure.close());
  await once(secure, 'listening');
  const { port } = secure.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'virus-scan-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'answer');
  await writeFile(path, answer);
  const scan = createVirusScan(`tls://localhost:${port}`, service.backing.log);

  await expect(scan(path)).rejects.toMatchObject({ status: 503 });
  expect(scanned).toEqual([]);
  const trusted = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, cert]);
  await scan(path);
  expect(scanned.map((content) => content.equals(answer))).toEqual([true]);
});
