import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parseSettings } from '@interview-prep/kit/process/config';
import { settings } from '@interview-prep/kit/settings';
import { createFaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import { resolveLocally } from '@interview-prep/kit/testing/local-names';
import { settingFaults } from '@interview-prep/kit/testing/setting-faults';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createObjectStore, ObjectMissing, type ObjectStore } from '../src/object-store/object-store.ts';
import { type ObjectStoreSettings, objectStoreSettings } from '../src/object-store/object-store-settings.ts';
import { startProcess } from './setup/child-process.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let folder: string;
let path: string;
const bytes = Buffer.alloc(200_000, 'sound');

beforeAll(async () => {
  service = await startRecording();
  folder = await mkdtemp(join(tmpdir(), 'object-store-'));
  path = join(folder, 'answer.webm');
  await writeFile(path, bytes);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const storeWith = (changes: Partial<ObjectStoreSettings>) =>
  createObjectStore({ ...(service.storeSettings as ObjectStoreSettings), ...changes });
const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

/** An S3 server that refuses everything without reading the body. */
const refusing = (status: number, body: string) =>
  listening((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' }).end(body);
  });

/** The address of a server that stops with the test. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createHttpServer(answer);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${port(server)}`;
}

it('measures its calls by outcome', async () => {
  const store = storeWith({});
  await store.putFile('measured', path, bytes.length, 'audio/webm');
  (await store.get('measured')).destroy();
  await expect(store.get('nothing')).rejects.toBeInstanceOf(ObjectMissing);
  const broken = storeWith({ S3_ENDPOINT: await refusing(503, '') });
  await expect(broken.putBytes('measured', bytes)).rejects.toMatchObject({ status: 503 });
  const counted = async ({ seconds }: ObjectStore) =>
    (await seconds.get()).values
      .filter(({ metricName }) => metricName?.endsWith('_count'))
      .map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`);
  expect(await counted(store)).toEqual(['put completed 1', 'get completed 1', 'get missing 1']);
  expect(await counted(broken)).toEqual(['put failed 1']);
});

it('has stored a file whose last byte is answered immediately by closing the connection', async () => {
  const server = createServer((socket) => {
    let left = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const head = data.indexOf('\r\n\r\n');
      if (left === 0) left = bytes.length + head + 4;
      left -= data.length;
      if (left <= 0) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store = storeWith({ S3_ENDPOINT: `http://127.0.0.1:${port(server)}` });
  for (let time = 0; time < 50; time += 1) await store.putFile('quick', path, bytes.length, 'audio/webm');
});

describe('a missing bucket', () => {
  const missing = { outage: 'object-store', cause: { message: expect.stringMatching(/missing.*created again/) } };

  it('is an outage for an upload, and is created again', async () => {
    const store = storeWith({ S3_BUCKET: `${service.storeSettings.S3_BUCKET}-gone-put` });
    expect(await store.works()).toBe(false);
    await expect(store.putFile('a', path, bytes.length, 'audio/webm')).rejects.toMatchObject(missing);
    expect(await store.works()).toBe(true);
    await store.putFile('a', path, bytes.length, 'audio/webm');
    expect((await buffer(await store.get('a'))).equals(bytes)).toBe(true);
  });

  it('is an outage for a reader, not a missing object', async () => {
    const store = storeWith({ S3_BUCKET: `${service.storeSettings.S3_BUCKET}-gone-get` });
    await expect(store.get('a')).rejects.toMatchObject(missing);
    expect(await store.works()).toBe(true);
    await expect(store.get('a')).rejects.toBeInstanceOf(ObjectMissing);
  });
});

describe("a refusal carries S3's error code", () => {
  it('even if it arrives before the upload was read', async () => {
    const body = '<Error><Code>XMinioAdminBucketQuotaExceeded</Code><Message>Bucket quota exceeded</Message></Error>';
    const store = storeWith({ S3_ENDPOINT: await refusing(400, body) });
    const message = 'the object store responded 400 XMinioAdminBucketQuotaExceeded to PUT: Bucket quota exceeded';
    const cause = { message, code: 'XMinioAdminBucketQuotaExceeded', status: 400 };
    await expect(store.putFile('a', path, bytes.length, 'audio/webm')).rejects.toMatchObject({ status: 503, cause });
  });

  it.each([
    [400, 'EntityTooLarge', true],
    [400, 'InvalidArgument', true],
    [413, '', true],
    [400, 'RequestTimeout', false],
    [403, 'RequestTimeTooSkewed', false],
    [403, 'AccessDenied', false],
    [429, 'SlowDown', false],
    [400, '', false],
    [500, 'InternalError', false],
  ])('and with %i %s it is permanent: %s', async (status, code, isForGood) => {
    const body = code ? `<Error><Code>${code}</Code></Error>` : 'no';
    const store = storeWith({ S3_ENDPOINT: await refusing(status, body) });
    const expected = isForGood ? { status: 502, code: 'storage_refused', outage: null } : { outage: 'object-store' };
    await expect(store.putFile('a', path, bytes.length, 'audio/webm')).rejects.toMatchObject(expected);
  });

  it("and a 404 that is not S3's is an outage, not a missing object", async () => {
    const store = storeWith({ S3_ENDPOINT: await refusing(404, '<html>not found</html>') });
    await expect(store.get('a')).rejects.toMatchObject({ outage: 'object-store', cause: { status: 404, code: '' } });
  });
});

it('needs a key that can list its bucket, and put and get objects, and nothing else', async () => {
  const target = new URL(service.storeSettings.S3_ENDPOINT ?? '');
  const refused: string[] = [];
  // A server where the bucket exists and the key has only these three permissions.
  const limited = createHttpServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const { pathname, searchParams } = new URL(url, target);
    const isObject = pathname.split('/').length > 2 && !pathname.endsWith('/');
    const mayPass = isObject ? ['GET', 'PUT'].includes(method) : method === 'GET' && searchParams.has('list-type');
    if (!mayPass) {
      refused.push(`${method} ${pathname}`);
      outgoing.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return;
    }
    const passed = httpRequest({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  onTestFinished(() => {
    limited.close();
    limited.closeAllConnections();
  });
  limited.listen(0, '127.0.0.1');
  await once(limited, 'listening');
  const store = storeWith({ S3_ENDPOINT: `http://127.0.0.1:${port(limited)}` });
  await store.prepare(service.backing.log);
  await store.putFile('limited', path, bytes.length, 'audio/webm');
  expect((await buffer(await store.get('limited'))).equals(bytes)).toBe(true);
  expect(await store.works()).toBe(true);
  expect(refused).toEqual([]);
  // If the bucket is missing too, the start reports the key's missing permissions.
  const without = storeWith({ S3_ENDPOINT: `http://127.0.0.1:${port(limited)}`, S3_BUCKET: 'not-there' });
  await expect(without.prepare(service.backing.log)).rejects.toMatchObject({
    setting: 'S3_ACCESS_KEY',
    message: expect.stringContaining('s3:CreateBucket'),
  });
});

describe('deleting by prefix', () => {
  it('deletes matching objects, and nothing else', async () => {
    const store = storeWith({});
    const keys = ['deleted/1', 'deleted/2', 'kept/1'];
    for (const key of keys) await store.putBytes(key, bytes);
    await store.removeAll('deleted/');
    const found = keys.map((key) => store.get(key).then(buffer, (error: unknown) => error));
    expect(await Promise.all(found)).toEqual([expect.any(ObjectMissing), expect.any(ObjectMissing), bytes]);
  });

  it('fails if the store keeps an object', async () => {
    const list = '<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents></ListBucketResult>';
    const kept = '<DeleteResult><Error><Key>a</Key><Code>InternalError</Code></Error></DeleteResult>';
    const S3_ENDPOINT = await listening((request, response) => response.end(request.method === 'POST' ? kept : list));
    const cause = { message: 'some objects were not deleted' };
    await expect(storeWith({ S3_ENDPOINT }).removeAll('a')).rejects.toMatchObject({ outage: 'object-store', cause });
  });
});

it('a redirect is not followed', async () => {
  let reached = 0;
  const elsewhere = await listening((_request, response) => {
    reached += 1;
    response.end(bytes);
  });
  const store = storeWith({
    S3_ENDPOINT: await listening((request, response) =>
      response.writeHead(307, { location: `${elsewhere}${request.url}` }).end(),
    ),
  });
  await expect(store.get('a')).rejects.toMatchObject({ outage: 'object-store', cause: { status: 307 } });
  await expect(store.works()).rejects.toMatchObject({ status: 307 });
  await expect(store.removeAll('a')).rejects.toMatchObject({ outage: 'object-store', cause: { status: 307 } });
  expect(reached).toBe(0);
});

describe('an endpoint', () => {
  const S3_ENDPOINT = settings.S3_ENDPOINT.type;

  it.each([
    'http://localhost:9000/minio',
    'https://s3.example.com/?a',
    'http://me:secret@localhost',
    's3://localhost',
    'here',
  ])('of %s is rejected', (url) => expect(S3_ENDPOINT.safeParse(url).success).toBe(false));

  it.each([
    'http://localhost:9000',
    'http://localhost:9000/',
    'https://s3.example.com',
    'http://[fd00::1]:9000',
    'https://{bucket}.s3.example.com:9000',
  ])('of %s is accepted', (url) => expect(S3_ENDPOINT.parse(url)).toBe(url));

  it('with a placeholder for the bucket has the bucket in the host, not in the path', async () => {
    onTestFinished(resolveLocally());
    const asked: (string | undefined)[] = [];
    const address = await listening((asking, response) => {
      const { headers, url, method } = asking;
      asked.push(headers.host, `${method} ${url?.replace(/\?.*/, '')}`);
      const body = method === 'GET' ? '<ListBucketResult><Name>answers</Name></ListBucketResult>' : '';
      asking.resume().once('end', () => response.end(body));
    });
    const at = new URL(address).port;
    const store = storeWith({ S3_ENDPOINT: `http://{bucket}.localhost:${at}`, S3_BUCKET: 'answers' });
    await store.prepare(service.backing.log);
    await store.putFile('a/b', path, bytes.length, 'audio/webm');
    expect(asked).toEqual([`answers.localhost:${at}`, 'GET /', `answers.localhost:${at}`, 'PUT /a/b']);
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );

  it.skipIf(!hasIpv6)('with an IPv6 address works', async () => {
    const target = new URL(service.storeSettings.S3_ENDPOINT ?? '');
    const proxy = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    onTestFinished(() => void proxy.close());
    proxy.listen(0, '::1');
    await once(proxy, 'listening');
    const { S3_ENDPOINT } = parseSettings(objectStoreSettings, {
      ...service.storeSettings,
      S3_ENDPOINT: `http://[::1]:${port(proxy)}`,
    });
    const store = storeWith({ S3_ENDPOINT });
    await store.prepare(service.backing.log);
    await store.putFile('ipv6', path, bytes.length, 'audio/webm');
    expect((await buffer(await store.get('ipv6', { range: { start: 0, end: 4 } }))).toString()).toBe('sound');
  });
});

describe('startup fails with the reason and the name of the setting,', () => {
  vi.setConfig({ testTimeout: 120_000 });

  const refusal = (changes: Partial<ObjectStoreSettings>) =>
    expect(storeWith(changes).prepare(service.backing.log)).rejects;

  it('with a wrong secret key', async () => {
    await expect(startProcess('main', service, { S3_SECRET_KEY: 'wrong-secret' })).rejects.toThrow(
      /ended with 1: .*Invalid settings:.*S3_SECRET_KEY: .*SignatureDoesNotMatch/s,
    );
  });

  it.each([
    ['access key', { S3_ACCESS_KEY: 'nobody' }, 'S3_ACCESS_KEY', /InvalidAccessKeyId|XAdminUserNotFound/],
    ['region', { S3_REGION: 'eu-north-9' }, 'S3_REGION', /expecting/],
  ])('with a wrong %s', async (_name, changes, setting, reason) => {
    await refusal(changes).toMatchObject({ name: 'UnusableSetting', setting, message: expect.stringMatching(reason) });
  });

  it('with a wrong bucket name', () => {
    const wrong = { ...service.storeSettings, S3_BUCKET: 'My_Recordings' };
    expect(settingFaults(() => parseSettings(objectStoreSettings, wrong))).toMatch(
      /S3_BUCKET: must be 3 to 63 lower-case letters/,
    );
  });

  it('with a certificate that is not trusted, or none', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    await promisify(execFile)('openssl', [...request, '-keyout', key, '-out', cert]);
    const server = createHttpsServer({ key: await readFile(key), cert: await readFile(cert) });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const isRefused = { name: 'UnusableSetting', setting: 'S3_ENDPOINT' };
    const message = expect.stringMatching(/^its certificate is not accepted: .*NODE_EXTRA_CA_CERTS/);
    await refusal({ S3_ENDPOINT: `https://localhost:${port(server)}` }).toMatchObject({ ...isRefused, message });
    const S3_ENDPOINT = (service.storeSettings.S3_ENDPOINT ?? '').replace('http:', 'https:');
    await refusal({ S3_ENDPOINT }).toMatchObject(isRefused);
  });

  it('but waits for a server that is down', async () => {
    const link = await createFaultProxy(service.storeSettings.S3_ENDPOINT ?? '');
    onTestFinished(() => link.close());
    link.cut();
    const store = storeWith({ S3_ENDPOINT: link.url });
    const prepared = store.prepare(service.backing.log).then(() => 'prepared');
    expect(await Promise.race([prepared, new Promise((resolve) => setTimeout(resolve, 1500, 'waiting'))])).toBe(
      'waiting',
    );
    link.mend();
    expect(await prepared).toBe('prepared');
  });
});
