import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startMain } from './setup/child-process.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

// Starts a whole process and sends a hundred uploads.
vi.setConfig({ testTimeout: 120_000 });

let service: RecordingUnderTest;
let candidate: TestUser;
let media: Buffer;

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  media = (await tone(440)).subarray(0, 1500);
});
afterAll(() => service.close());

const routes = {
  interview: { path: '/api/interviews/recordings', file: 'audio', other: 'file', set: 'interviewSetId' },
  practice: { path: '/api/practice/recordings', file: 'file', other: 'audio', set: 'practiceSetId' },
} as const;
const kinds = Object.keys(routes) as SessionKind[];

const boundary = 'edge';
const filePart = (name: string, content: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.webm"\r\n`),
    Buffer.from('Content-Type: audio/webm\r\n\r\n'),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const fieldPart = (name: string, value: string): Buffer =>
  Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

type Send = (kind: SessionKind, body: Buffer) => Promise<number>;

/** Sends truncated uploads, and expects that each is refused. */
async function sendCutShort(send: Send): Promise<void> {
  for (const kind of kinds) {
    const { file, other } = routes[kind];
    const whole = fieldPart('questionId', '0');
    const bodies = {
      'in a file of another name': filePart(other, media),
      'in a file of another name, after a field': Buffer.concat([whole, filePart(other, media)]),
      'in the recording': filePart(file, media),
      'in a second recording': Buffer.concat([filePart(file, media), filePart(file, media)]),
      'in the last of several files': Buffer.concat([filePart('a', 'a'), filePart('b', 'b'), filePart(file, media)]),
      'in a file after the recording': Buffer.concat([filePart(file, media), filePart(other, media)]),
      'in a field': whole.subarray(0, -3),
      "in a part's head": whole.subarray(0, 30),
      'in a file beyond the most': Buffer.concat(Array.from({ length: 7 }, () => filePart('more', 'more'))),
    };
    for (const [where, body] of Object.entries(bodies)) {
      expect({ kind, where, status: await send(kind, body) }).toEqual({ kind, where, status: 400 });
    }
  }
}

/** Sends uploads with lost or changed bytes, and expects a response to each. */
async function sendDamaged(send: Send): Promise<void> {
  const sets = await Promise.all(kinds.map((kind) => service.addSet({ kind })));
  const setIds = Object.fromEntries(kinds.map((kind, at) => [kind, sets[at]?.setId ?? '']));
  const valid = (kind: SessionKind) =>
    Buffer.concat([
      filePart('picture', media),
      fieldPart('questionId', '0'),
      filePart(routes[kind].file, media),
      fieldPart(routes[kind].set, setIds[kind] ?? ''),
      fieldPart('sessionId', randomUUID()),
      filePart('remark', media),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
  const share = fc.nat(9999).map((part) => part / 10_000);
  const change = fc.record({ at: share, bit: fc.nat(7) });
  for (const kind of kinds) expect(await send(kind, valid(kind))).toBe(201);
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...kinds),
      fc.option(share, { freq: 2 }),
      fc.array(change, { maxLength: 8 }),
      async (kind, cut, changes) => {
        const body = valid(kind);
        for (const { at, bit } of changes) {
          const index = Math.floor(at * body.length);
          body.writeUInt8(body.readUInt8(index) ^ (1 << bit), index);
        }
        const status = await send(kind, cut === null ? body : body.subarray(0, Math.floor(cut * body.length)));
        statuses.add(status);
        expect(status === 201 || (status >= 400 && status < 500)).toBe(true);
      },
    ),
  );
  expect([...statuses]).toEqual(expect.arrayContaining([201, 400]));
}

it('malformed uploads get a response wherever they are cut, damaged or changed, and the process keeps running', async () => {
  const main = await startMain(service);
  const headers = {
    authorization: candidate.authorization,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  };
  const send: Send = async (kind, body) => {
    const url = main.url + routes[kind].path;
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
    await response.text();
    return response.status;
  };
  await sendCutShort(send);
  await sendDamaged(send);
  expect((await fetch(`${main.url}/healthz`)).status).toBe(200);
  expect(await main.end('SIGTERM')).toBe(0);
  expect(await readdir(join(service.spoolDir, 'recording-uploads'))).toEqual([]);
});
