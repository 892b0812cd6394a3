import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { answerSent } from '../lib/live/awaited-sessions.ts';
import { server, signInBefore } from '../test/fake-api.ts';
import { interviewDetail, interviewId, interviewRecording, recordingId } from '../test/history/history-fixtures.ts';
import { LiveServer } from '../test/history/open-app.tsx';
import { renderApp } from '../test/render-app.tsx';

let live: LiveServer;
let detail: ReturnType<typeof interviewDetail> | null;

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  live = new LiveServer();
  detail = null;
  server.use(
    live.handler,
    http.get('*/api/interviews/:id', () =>
      detail ? HttpResponse.json(detail) : HttpResponse.json({ message: 'Interview not found.' }, { status: 404 }),
    ),
  );
  signInBefore('others');
});
afterEach(() => {
  live.end();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Opens the app after an answer was sent; the verdict then arrives over the live stream. */
async function openAfterSending(address: string) {
  const app = renderApp(address);
  const sent = { kind: 'interview', id: interviewId, title: 'Closures', questionId: 0, recordingId } as const;
  act(() => void app.store.dispatch(answerSent(sent)));
  await waitFor(() => expect(live.listeners).toBe(1), { timeout: 5000 });
  detail = interviewDetail({ recordings: [interviewRecording()] });
  live.send({ sessionId: 'session-of-detail', recordingId, stage: 'assessment', status: 'completed' });
  return app;
}

it('tells candidates on other pages that an interview has been scored, with a link', async () => {
  const { router, store } = await openAfterSending('/transcribe');
  await screen.findByText(/Closures has been scored\./);
  await userEvent.click(screen.getByRole('button', { name: 'See the results' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/interviews/${interviewId}`));
  expect(store.getState().awaitedSessions).toEqual([]);
  await waitFor(() => expect(screen.queryByText(/has been scored/)).not.toBeInTheDocument());
});

it('says nothing where the results are shown', async () => {
  const { store } = await openAfterSending('/interviews');
  await waitFor(() => expect(store.getState().awaitedSessions).toEqual([]));
  expect(screen.queryByText(/has been scored/)).not.toBeInTheDocument();
});
