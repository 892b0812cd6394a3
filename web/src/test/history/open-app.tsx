import type { User } from '@interview-prep/contracts/auth/users';
import type { LiveStatus } from '@interview-prep/contracts/recording/recordings';
import type { LiveWords } from '@interview-prep/contracts/recording/uploads';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { App } from '../../app/app.tsx';
import { createStore } from '../../app/store.ts';
import AppealsScreen from '../../features/history/appeals-screen.tsx';
import { InterviewDetailScreen, PracticeDetailScreen } from '../../features/history/detail/detail-screen.tsx';
import { InterviewHistoryScreen, PracticeHistoryScreen } from '../../features/history/list/history-screen.tsx';
import SharedScreen from '../../features/history/share/shared-interview-view.tsx';
import TakesScreen from '../../features/history/takes/takes-comparison.tsx';
import { paths } from '../../lib/paths.ts';
import { storeSignIn } from '../../lib/state/sign-in-storage.ts';
import { tokenOf } from '../token-of.ts';
import { candidate } from './history-fixtures.ts';
import { historyHandlers } from './history-handlers.ts';

const encoder = new TextEncoder();

/** The server's ends of the open event streams. */
export class LiveServer {
  private readonly streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  /** Responds with this status instead of a stream, if set. */
  refusal: number | null = null;

  readonly handler = http.get('/api/events', () => {
    if (this.refusal !== null) return HttpResponse.json({ message: 'Not now', code: 'no' }, { status: this.refusal });
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.streams.add(own);
        own.enqueue(encoder.encode(': open\n\n'));
      },
      cancel: () => {
        this.streams.delete(own);
      },
    });
    return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
  });

  get listeners(): number {
    return this.streams.size;
  }

  send(message: LiveStatus | LiveWords): void {
    const event = 'uploadId' in message ? 'words' : 'recording';
    for (const stream of this.streams) {
      stream.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(message)}\n\n`));
    }
  }

  end(): void {
    for (const stream of this.streams) stream.close();
    this.streams.clear();
  }
}

/** The server of the app under test. It has no sets or sessions; other unhandled requests fail the test. */
export const server = setupServer(
  http.get('/api/interviews/sets', () => HttpResponse.json({ interviewSets: [] })),
  http.get('/api/practice', () => HttpResponse.json({ practiceSets: [] })),
  http.get('/api/review-snippets', () => HttpResponse.json({ snippets: [] })),
  http.get('/api/events', () => new HttpResponse(null, { status: 503 })),
  ...historyHandlers(() => HttpResponse.json({ recordings: [], nextCursor: null, total: 0 })),
);

/** The paths where tests start and end. */
const screens = [
  { path: paths.home, element: <h1>Interview Sets</h1> },
  { path: paths.interviews, element: <InterviewHistoryScreen /> },
  { path: paths.interviewDetail(':interviewId'), element: <InterviewDetailScreen /> },
  { path: paths.takes(':interviewId', ':number'), element: <TakesScreen /> },
  { path: paths.shared, element: <SharedScreen /> },
  { path: paths.appeals, element: <AppealsScreen /> },
  { path: paths.practiceInterviews, element: <PracticeHistoryScreen /> },
  { path: paths.practiceDetail(':practiceId'), element: <PracticeDetailScreen /> },
];

/** Opens the app with this feature's screens at a URL, signed in. */
export function openApp(path: string | { pathname: string; state: unknown }, user: Partial<User> = {}) {
  const signedIn = { ...candidate, ...user };
  storeSignIn(signedIn, tokenOf(signedIn));
  const router = createMemoryRouter(screens, { initialEntries: [path] });
  const view = render(<App store={createStore()} pages={<RouterProvider router={router} />} />);
  return { user: userEvent.setup(), fields: () => router.state.location.hash, ...view };
}
