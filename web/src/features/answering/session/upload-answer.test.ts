import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { uploadAnswer } from './upload-answer.ts';

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
  // The server does not see what the browser was told of credentials; happy-dom forgets what the file is called.
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
