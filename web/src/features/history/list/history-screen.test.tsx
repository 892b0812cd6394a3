import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { interviewDetail, interviewId, interviewItem } from '../../../test/history/history-fixtures.ts';
import { historyHandlers } from '../../../test/history/history-handlers.ts';
import { LiveServer, openApp, server } from '../../../test/history/open-app.tsx';

let live: LiveServer;
let asked: URL[];

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  live = new LiveServer();
  asked = [];
  server.use(live.handler);
});
afterEach(() => {
  live.end();
  server.resetHandlers();
});
afterAll(() => server.close());

type Items = ReturnType<typeof interviewItem>[];

/** A history with real filtering and paging. */
function serveHistory(items: () => Items, pageSize = 25) {
  server.use(
    ...historyHandlers(({ email = '', technology, cursor = '0' }, url) => {
      asked.push(url);
      const found = items().filter(
        (item) =>
          (item.userDetails.email ?? '').includes(email) &&
          (technology === undefined || item.technology === technology),
      );
      const from = Number(cursor);
      const end = from + pageSize;
      return HttpResponse.json({
        recordings: found.slice(from, end),
        nextCursor: end < found.length ? String(end) : null,
        total: found.length,
      });
    }),
  );
}

const lines = () => screen.getAllByRole('listitem');

describe('the interview history', () => {
  it('shows the summary of the interview just finished, as soon as it is in the history', async () => {
    serveHistory(() => []);
    // Once when the page opens, and once when the live connection does.
    let misses = 2;
    const detail = interviewDetail();
    server.use(
      http.get(`/api/interviews/${interviewId}`, () => {
        misses -= 1;
        return misses >= 0 ? new HttpResponse(null, { status: 404 }) : HttpResponse.json(detail);
      }),
    );
    openApp({ pathname: '/interviews', state: { finished: interviewId } });
    await waitFor(() => expect([live.listeners, misses]).toEqual([1, 0]));
    const status = { stage: 'media', status: 'pending' } as const;
    live.send({ sessionId: 'session-of-detail', recordingId: 'r', ...status });
    const finished = await screen.findByRole('region', { name: 'The interview you finished' }, { timeout: 10_000 });
    expect(within(finished).getByText('82%', { ignore: 'a *' })).toBeVisible();
    expect(within(finished).getByRole('link', { name: 'See every answer' })).toHaveAttribute(
      'href',
      `/interviews/${interviewId}`,
    );
    expect(within(finished).getByRole('link', { name: /Question 1\s*Correct · 82%/ })).toHaveAttribute(
      'href',
      `/interviews/${interviewId}#question-1`,
    );
  });

  it("offers to continue one's own unfinished interviews", async () => {
    const own = interviewItem({ title: 'Own', answeredCount: 3 });
    serveHistory(() => [own, interviewItem({ title: 'Other', answeredCount: 3, userId: 'other' }), interviewItem()]);
    openApp('/interviews', { role: 'admin' });
    const links = await screen.findAllByRole('link', { name: /^Resume/ });
    expect(links).toHaveLength(1);
    expect(links[0]).toHaveTextContent('Resume (3 of 5 done)');
    expect(links[0]).toHaveAttribute('href', `/interview/${own.interviewSetId}?continue=${own._id}`);
  });

  it('shows a line per session, with every fallback, and drops unknown technologies', async () => {
    serveHistory(() => [
      interviewItem({ title: 'Hooks', answeredCount: 3 }),
      interviewItem({
        title: 'Bare',
        createdAt: 'nonsense',
        averageCorrectness: null,
        userDetails: { email: null, role: null, lastLogin: null },
      }),
      interviewItem({ title: 'Lost', technology: 'Unknown Technology' }),
    ]);
    openApp('/interviews', { role: 'admin' });
    const hooks = await screen.findByRole('link', { name: /Hooks/ });
    expect(hooks).toHaveTextContent('React');
    expect(hooks).toHaveTextContent('20 Nov 2026, 8:45 am');
    expect(hooks).toHaveTextContent('3 of 5 answered');
    expect(hooks).toHaveTextContent('72%');
    expect(hooks).toHaveTextContent('candidate@example.com · Candidate');
    expect(hooks).toHaveTextContent('Incomplete');
    const bare = screen.getByRole('link', { name: /Bare/ });
    expect(bare).toHaveTextContent('Invalid Date');
    expect(bare).toHaveTextContent('Unknown Email · Unknown Role');
    expect(bare).toHaveTextContent('Not scored');
    expect(lines()).toHaveLength(2);
  });

  it('says what to do when it is empty', async () => {
    serveHistory(() => []);
    openApp('/interviews');
    expect(await screen.findByText('No interviews found.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Take an interview' })).toHaveAttribute('href', '/');
  });

  it("searches by participant email, kept in the URL's fragment and sent in the body", async () => {
    serveHistory(() => [
      interviewItem({ title: 'Mine' }),
      interviewItem({ title: 'Theirs', userDetails: { email: 'other@example.com', role: 'dev', lastLogin: null } }),
    ]);
    const { user, fields } = openApp('/interviews', { role: 'admin' });
    await screen.findByText('Mine');
    await user.type(screen.getByPlaceholderText('Search by participant email...'), 'other');
    await waitFor(() => expect(screen.queryByText('Mine')).not.toBeInTheDocument());
    expect(await screen.findByText('Theirs')).toBeVisible();
    expect(fields()).toBe('#email=other');
    expect(asked.map(({ href }) => href).join()).not.toContain('other');
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(await screen.findByText('Mine')).toBeVisible();
    expect(fields()).toBe('');
  });

  it('lets candidates search their own sessions by set, question and date, and shows no participant', async () => {
    const filters: unknown[] = [];
    const summary = { answeredCount: 9, judgedCount: 8, average: 64, spokenMs: 180_000 };
    server.use(
      ...historyHandlers((filter, url) => {
        filters.push(filter);
        asked.push(url);
        const recordings = filter.text ? [interviewItem({ title: 'Closures' })] : [interviewItem({ title: 'Hooks' })];
        return HttpResponse.json({ recordings, nextCursor: null, total: 1, summary });
      }),
    );
    const { user, fields } = openApp('/interviews');
    expect(await screen.findByRole('link', { name: /Hooks/ })).not.toHaveTextContent('candidate@example.com');
    expect(screen.getByRole('region', { name: 'Totals' })).toHaveTextContent(
      '64% average of 8 scored answers · 1 interview · 9 answers · 3 minutes spoken',
    );
    expect(screen.queryByPlaceholderText('Search by participant email...')).toBeNull();
    await user.type(screen.getByPlaceholderText('Search by set or question...'), 'closure');
    expect(await screen.findByText('Closures')).toBeVisible();
    await user.type(screen.getByLabelText('From'), '2026-11-02');
    await user.type(screen.getByLabelText('To'), '2026-11-03');
    await waitFor(() =>
      expect(filters.at(-1)).toMatchObject({
        text: 'closure',
        from: new Date(2026, 10, 2).toISOString(),
        to: new Date(2026, 10, 4).toISOString(),
      }),
    );
    expect(fields()).toBe('#text=closure&from=2026-11-02&to=2026-11-03');
    expect(asked.map(({ href }) => href).join()).not.toContain('closure');
  });

  it('loads further pages by cursor on request', async () => {
    const items = Array.from({ length: 60 }, (_, index) => interviewItem({ title: `Session ${index}` }));
    serveHistory(() => items);
    const { user } = openApp('/interviews');
    expect(await screen.findByText('Showing 25 of 60 interviews')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('Showing 50 of 60 interviews')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('Showing 60 of 60 interviews')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
    expect(asked.map((url) => url.searchParams.get('cursor'))).toEqual([null, '25', '50']);
  });

  it('shows why no more could be loaded, keeps the entries, and retries on request', async () => {
    const items = Array.from({ length: 60 }, (_, index) => interviewItem({ title: `Session ${index}` }));
    serveHistory(() => items);
    const { user } = openApp('/interviews');
    await screen.findByText('Showing 25 of 60 interviews');
    const refuse = () => HttpResponse.json({ message: 'The history is being moved' }, { status: 503 });
    server.use(http.get('/api/interviews/history', refuse, { once: true }));
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The history is being moved');
    expect(screen.getByText('Showing 25 of 60 interviews')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Showing 50 of 60 interviews')).toBeVisible();
    expect(screen.queryByText('The history is being moved')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Load more' })).toBeVisible();
  });

  it('does not show a failed load as an empty history', async () => {
    const unknown = Array.from({ length: 25 }, () => interviewItem({ technology: 'Unknown Technology' }));
    serveHistory(() => [...unknown, interviewItem({ title: 'On the second page' })]);
    server.use(
      http.get('/api/interviews/history', ({ request }) =>
        new URL(request.url).searchParams.has('cursor') ? HttpResponse.json({}, { status: 503 }) : undefined,
      ),
    );
    const { user } = openApp('/interviews');
    expect(await screen.findByText('Failed to fetch interview history')).toBeVisible();
    expect(screen.queryByText('No interviews found.')).not.toBeInTheDocument();
    serveHistory(() => [...unknown, interviewItem({ title: 'On the second page' })]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('On the second page')).toBeVisible();
  });

  it('updates pending recordings without a reload', async () => {
    let item = interviewItem({ pendingCount: 2, averageCorrectness: null });
    serveHistory(() => [item]);
    openApp('/interviews');
    expect(await screen.findByText('2 being transcribed')).toBeVisible();
    await waitFor(() => expect(live.listeners).toBe(1));
    item = { ...item, pendingCount: 0, averageCorrectness: 64 };
    live.send({ sessionId: item.sessionId, recordingId: 'r', stage: 'assessment', status: 'completed' });
    expect(await screen.findByText('Complete')).toBeVisible();
    expect(screen.getByText('64%')).toBeVisible();
  });

  it.each([
    [{ message: 'The history is being moved' }, 500, 'The history is being moved', 'Failed to load interviews'],
    [{}, 500, 'Failed to fetch interview history', 'Failed to load interviews'],
  ])('shows a failure %j and reloads on request', async (body, status, shown, toast) => {
    server.use(http.get('/api/interviews/history', () => HttpResponse.json(body, { status }), { once: true }));
    const { user } = openApp('/interviews');
    const failure = await screen.findByText(shown);
    expect(failure).toBeVisible();
    expect(await screen.findByText(toast)).toBeVisible();
    serveHistory(() => [interviewItem({ title: 'Back again' })]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Back again')).toBeVisible();
  });

  it('says so if the answer has no recordings', async () => {
    server.use(http.get('/api/interviews/history', () => HttpResponse.json({})));
    openApp('/interviews');
    expect(await screen.findAllByText('No recordings data received')).not.toHaveLength(0);
  });
});

describe('the grouped views', () => {
  const groups = [
    { key: '', count: 1, latest: '2026-11-01T00:00:00.000Z' },
    { key: 'ann@example.com', count: 1, latest: '2026-11-02T00:00:00.000Z' },
  ];
  const by = (email: string | null, title: string) =>
    interviewItem({ title, userDetails: { email, role: 'others', lastLogin: null } });

  beforeEach(() => {
    server.use(
      http.get('/api/interviews/history/groups', ({ request }) => {
        asked.push(new URL(request.url));
        return HttpResponse.json({ groups });
      }),
    );
    serveHistory(() => [by('joann@example.com', 'Of Joann'), by('ann@example.com', 'Of Ann'), by(null, 'Of nobody')]);
  });

  it('expands and collapses, and loads members when expanded', async () => {
    const { user, fields } = openApp('/interviews', { role: 'admin' });
    await user.click(await screen.findByRole('radio', { name: 'View by Email' }));
    const group = await screen.findByRole('button', { name: /ann@example.com/ });
    expect(group).toHaveTextContent('1 interview');
    expect(group).toHaveTextContent('2 Nov 2026');
    expect(group).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText('Of Ann')).not.toBeInTheDocument();

    await user.click(group);
    expect(await screen.findByText('Of Ann')).toBeVisible();
    // The server matches part of an email: joann@ contains ann@.
    expect(screen.queryByText('Of Joann')).not.toBeInTheDocument();
    expect(new URLSearchParams(fields().slice(1)).getAll('open')).toEqual(['ann@example.com']);

    await user.click(group);
    await waitFor(() => expect(screen.queryByText('Of Ann')).not.toBeInTheDocument());
  });

  it('collects sessions without an email under Unknown User', async () => {
    const { user } = openApp('/interviews#view=email', { role: 'admin' });
    await user.click(await screen.findByRole('button', { name: /Unknown User/ }));
    expect(await screen.findByText('Of nobody')).toBeVisible();
    expect(screen.queryByText('Of Ann')).not.toBeInTheDocument();
  });

  it.each([
    ['dev', false],
    ['others', false],
    ['admin', true],
  ] as const)('with role %s show the view by email: %s', async (role, sees) => {
    openApp('/interviews#view=email', { role });
    const modes = await screen.findByRole('radiogroup', { name: 'View mode' });
    expect(within(modes).queryAllByRole('radio', { name: 'View by Email' })).toHaveLength(sees ? 1 : 0);
    expect(within(modes).getByRole('radio', { name: sees ? 'View by Email' : 'View All' })).toBeChecked();
    await screen.findAllByText(sees ? 'Unknown User' : 'Of Ann');
    expect(asked.some((url) => url.searchParams.get('by') === 'email')).toBe(sees);
  });
});
