import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server } from '../../test/fake-api.ts';
import { UploadError, uploadRecording } from './upload-recording.ts';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const url = 'http://localhost:3000/api/interviews/recordings';

function options(signal = new AbortController().signal) {
  const form = new FormData();
  form.set('questionId', '0');
  return { url, form, token: 'token', fallback: 'Failed to upload recording', signal };
}

test('sends the form with the token and gives the answer', async () => {
  server.use(
    http.post(url, ({ request }) =>
      HttpResponse.json({ recording: request.headers.get('Authorization') }, { status: 201 }),
    ),
  );
  expect(await uploadRecording(options())).toEqual({ recording: 'Bearer token' });
});

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
  await uploadRecording(options());
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
  await expect(uploadRecording(options())).rejects.toThrow('busy');
  expect(calls).toBe(4);
});

test.each([
  [
    413,
    { message: 'Recording is too large. Please record a shorter answer.' },
    'Recording is too large. Please record a shorter answer.',
  ],
  [500, '<html>', 'Failed to upload recording'],
])('a %i is told at once', async (status, body, message) => {
  let calls = 0;
  server.use(
    http.post(url, () => {
      calls += 1;
      return typeof body === 'string' ? new HttpResponse(body, { status }) : HttpResponse.json(body, { status });
    }),
  );
  const failure = await uploadRecording(options()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UploadError);
  expect(failure).toMatchObject({ message, error: { status } });
  expect(calls).toBe(1);
});

test('a broken connection is reported as such', async () => {
  server.use(http.post(url, () => HttpResponse.error()));
  await expect(uploadRecording(options())).rejects.toMatchObject({ error: { status: null } });
});

test('leaving aborts the upload, also while it waits to try again', async () => {
  const controller = new AbortController();
  server.use(
    http.post(url, () => {
      queueMicrotask(() => controller.abort(new Error('left')));
      return HttpResponse.json({ message: 'busy' }, { status: 503, headers: { 'Retry-After': '30' } });
    }),
  );
  await expect(uploadRecording(options(controller.signal))).rejects.not.toBeInstanceOf(UploadError);
});
