import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { UploadError, uploadAnswer } from './upload-answer.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

const target = {
  userId: 'u',
  setId: '0123456789abcdef01234567',
  sessionId: '11111111-2222-4333-8444-555555555555',
  questionId: 0,
  setTitle: 'Hooks',
  setUpdatedAt: '2026-11-01T00:00:00.000Z',
  technology: 'React',
};
const common = {
  questionId: '0',
  sessionId: target.sessionId,
  technologyCategory: 'React',
  setUpdatedAt: target.setUpdatedAt,
};

test.each([
  {
    kind: 'interview',
    path: '/api/interviews/recordings',
    mediaType: 'audio/webm',
    file: 'audio',
    fields: { ...common, interviewSetId: target.setId, interviewSetTitle: 'Hooks' },
    fallback: 'Failed to upload recording',
  },
  {
    kind: 'practice',
    path: '/api/practice/recordings',
    mediaType: 'video/webm',
    file: 'file',
    fields: { ...common, practiceSetId: target.setId, practiceSetTitle: 'Hooks' },
    fallback: 'Failed to upload practice recording',
  },
] as const)('an answer of $kind: its parts, its token, its fallback', async (upload) => {
  const { kind, path, mediaType, file, fields, fallback } = upload;
  const requests: Request[] = [];
  server.use(
    http.post(`*${path}`, ({ request }) => {
      requests.push(request.clone());
      return HttpResponse.json({ recording: { _id: 'r' } }, { status: 201 });
    }),
  );
  // The server does not see the browser's mode for credentials; happy-dom forgets what the file is called.
  const naming = vi.spyOn(FormData.prototype, 'set');
  const fetching = vi.spyOn(globalThis, 'fetch');
  const media = new Blob(['sound'], { type: mediaType });
  const { signal } = new AbortController();
  expect(await uploadAnswer(kind, target, media, 'token', signal)).toEqual({ _id: 'r' });

  const [request] = requests;
  expect(request?.headers.get('Authorization')).toBe('Bearer token');
  expect(fetching.mock.calls[0]?.[1]).toHaveProperty('credentials', 'include');
  const { [file]: sent, ...texts } = Object.fromEntries((await request?.formData()) ?? []);
  expect(texts).toEqual(fields);
  expect(sent).toMatchObject({ type: mediaType, size: 5 });
  expect(naming).toHaveBeenCalledWith(file, media, 'recording.webm');

  server.use(http.post(`*${path}`, () => new HttpResponse(null, { status: 500 })));
  await expect(uploadAnswer(kind, target, media, 'token', signal)).rejects.toThrow(fallback);
});

const url = '*/api/interviews/recordings';

const upload = (signal = new AbortController().signal) =>
  uploadAnswer('interview', target, new Blob(['sound'], { type: 'audio/webm' }), 'token', signal);

test('a busy server is asked again after the time it names', async () => {
  let calls = 0;
  server.use(
    http.post(url, () => {
      calls += 1;
      return calls < 3
        ? HttpResponse.json({ message: 'busy', code: 'busy' }, { status: 503, headers: { 'Retry-After': '0' } })
        : HttpResponse.json({ recording: {} }, { status: 201 });
    }),
  );
  await upload();
  expect(calls).toBe(3);
});

test('it gives up on a server that stays busy', async () => {
  let calls = 0;
  server.use(
    http.post(url, () => {
      calls += 1;
      return HttpResponse.json({ message: 'busy', code: 'busy' }, { status: 503, headers: { 'Retry-After': '0' } });
    }),
  );
  await expect(upload()).rejects.toThrow('busy');
  expect(calls).toBe(4);
});

test.each([
  [
    413,
    { message: 'Recording is too large. Please record a shorter answer.' },
    'Recording is too large. Please record a shorter answer.',
  ],
  [500, '<html>', 'Failed to upload recording'],
])('a %i fails at once', async (status, body, message) => {
  let calls = 0;
  server.use(
    http.post(url, () => {
      calls += 1;
      return typeof body === 'string' ? new HttpResponse(body, { status }) : HttpResponse.json(body, { status });
    }),
  );
  const failure = await upload().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UploadError);
  expect(failure).toMatchObject({ message, error: { status } });
  expect(calls).toBe(1);
});

test('a broken connection is reported as such', async () => {
  server.use(http.post(url, () => HttpResponse.error()));
  await expect(upload()).rejects.toMatchObject({ error: { status: null } });
});

test('leaving aborts the upload, also while it waits to try again', async () => {
  const controller = new AbortController();
  server.use(
    http.post(url, () => {
      queueMicrotask(() => controller.abort(new Error('left')));
      return HttpResponse.json({ message: 'busy' }, { status: 503, headers: { 'Retry-After': '30' } });
    }),
  );
  await expect(upload(controller.signal)).rejects.not.toBeInstanceOf(UploadError);
});
