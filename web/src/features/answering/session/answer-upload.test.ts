import { createHash } from 'node:crypto';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { server } from '../../../test/fake-api.ts';
import { savedAs, uploadHandlers } from '../../../test/held-uploads.ts';
import { openAnswerUpload, UploadError, uploadAnswer } from './answer-upload.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  server.resetHandlers();
});
afterAll(() => server.close());

const uploadId = '11111111-2222-4333-8444-555555555555';
const target = {
  userId: 'u',
  setId: '0123456789abcdef01234567',
  sessionId: '99999999-2222-4333-8444-555555555555',
  questionId: 0,
  setTitle: 'Hooks',
  setUpdatedAt: '2026-11-01T00:00:00.000Z',
};
const options = { uploadId, target, kind: 'interview', getToken: () => 'token' } as const;
const never = new AbortController().signal;
const complete = '*/api/uploads/:id/complete';

/** A server that completes all uploads. */
function serve() {
  const { stored, handlers } = uploadHandlers(() => savedAs(0));
  server.use(...handlers);
  return () => stored.get(uploadId)?.parts;
}

test('parts of at most 512 KB carry their digest and the token', async () => {
  const parts = serve();
  const headers: Headers[] = [];
  server.use(http.put('*/api/uploads/:id/parts/:number', ({ request }) => void headers.push(request.headers)));
  const media = new Uint8Array(1_200_000).fill(7);
  expect(await uploadAnswer(new Blob([media]), options, never)).toMatchObject({ _id: 'r0' });
  expect(parts()).toEqual([524_288, 524_288, 151_424]);
  const digest = createHash('sha256').update(media.subarray(0, 524_288)).digest('base64');
  expect(headers[0]?.get('Content-Digest')).toBe(`sha-256=:${digest}:`);
  expect(headers[0]?.get('Authorization')).toBe('Bearer token');
});

test('the recording is sent every two seconds, and the rest at the end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const parts = serve();
  const upload = openAnswerUpload(options);
  const speak = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      upload.add(new Blob([new Uint8Array(5000)]));
      vi.setSystemTime(Date.now() + 1000);
    }
  };
  speak(1);
  await vi.waitFor(() => expect(parts()).toEqual([5000]));
  speak(2);
  await vi.waitFor(() => expect(parts()).toEqual([5000, 10_000]));
  speak(1);
  await upload.complete(never);
  expect(parts()).toEqual([5000, 10_000, 5000]);
});

test('everything sent after Stop is one trace', async () => {
  serve();
  const traces: (string | null)[] = [];
  const note = ({ request }: { request: Request }) => void traces.push(request.headers.get('traceparent'));
  server.use(http.put('*/api/uploads/:id/parts/:number', note), http.post(complete, note));
  const upload = openAnswerUpload(options);
  upload.add(new Blob([new Uint8Array(5000)]));
  await vi.waitFor(() => expect(traces).toEqual([null]));
  upload.add(new Blob([new Uint8Array(5000)]));
  await upload.complete(never);
  const [, ...afterStop] = traces;
  expect(afterStop).toHaveLength(2);
  expect(afterStop[0]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(afterStop[1]).toBe(afterStop[0]);
});

test('after a lost response and a reload, it continues where the server is', async () => {
  const parts = serve();
  const media = new Uint8Array(9000);
  const first = openAnswerUpload(options);
  first.add(new Blob([media.subarray(0, 4000)]));
  await vi.waitFor(() => expect(parts()).toEqual([4000]));
  first.stop();
  server.use(http.put('*/api/uploads/:id/parts/:number', () => HttpResponse.error(), { once: true }));
  await uploadAnswer(new Blob([media]), options, never);
  expect(parts()).toEqual([4000, 5000]);
});

test("a draft that lacks its last second is completed with the server's data", async () => {
  const parts = serve();
  const first = openAnswerUpload(options);
  first.add(new Blob([new Uint8Array(4000)]));
  await vi.waitFor(() => expect(parts()).toEqual([4000]));
  first.stop();
  const asked: unknown[] = [];
  server.use(
    http.post(complete, async ({ request }) => {
      asked.push(await request.json());
      return savedAs(0);
    }),
  );
  await uploadAnswer(new Blob([new Uint8Array(3000)]), options, never);
  expect(asked).toEqual([{ parts: 1 }]);
});

test.each([
  [2, null],
  [9, 'busy'],
])('a server that is busy %i times is asked again after the time it specifies', async (busyTimes, failure) => {
  serve();
  let calls = 0;
  server.use(
    http.post(complete, () => {
      calls += 1;
      if (calls > busyTimes) return savedAs(0);
      return HttpResponse.json({ message: 'busy', code: 'busy' }, { status: 503, headers: { 'Retry-After': '0' } });
    }),
  );
  const sending = uploadAnswer(new Blob(['sound']), options, never);
  if (failure === null) await sending;
  else await expect(sending).rejects.toThrow(failure);
  expect(calls).toBe(failure === null ? 3 : 4);
});

test.each([
  [413, { message: 'Recording is too large.' }, 'Recording is too large.'],
  [500, '<html>', 'Failed to upload recording'],
])('a %i fails immediately', async (status, body, message) => {
  serve();
  let calls = 0;
  server.use(
    http.post(complete, () => {
      calls += 1;
      return typeof body === 'string' ? new HttpResponse(body, { status }) : HttpResponse.json(body, { status });
    }),
  );
  const failure = await uploadAnswer(new Blob(['sound']), options, never).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UploadError);
  expect(failure).toMatchObject({ message, error: { status } });
  expect(calls).toBe(1);
});

test('a connection that stays broken is reported as such', async () => {
  serve();
  server.use(http.post(complete, () => HttpResponse.error()));
  await expect(uploadAnswer(new Blob(['sound']), options, never)).rejects.toMatchObject({ error: { status: null } });
});

test('leaving aborts the upload, also while it waits to retry', async () => {
  serve();
  const controller = new AbortController();
  server.use(
    http.post(complete, () => {
      queueMicrotask(() => controller.abort(new Error('left')));
      return HttpResponse.json({ message: 'busy' }, { status: 503, headers: { 'Retry-After': '30' } });
    }),
  );
  const sending = uploadAnswer(new Blob(['sound']), options, controller.signal);
  await expect(sending).rejects.not.toBeInstanceOf(UploadError);
});
