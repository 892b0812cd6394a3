import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { interviewItem } from '../../../test/history/history-fixtures.ts';
import { historyHandlers } from '../../../test/history/history-handlers.ts';
import { openApp, server } from '../../../test/history/open-app.tsx';

const items = [
  interviewItem({ title: 'Hooks', technology: 'React' }),
  interviewItem({
    title: 'Joins',
    technology: 'SQL',
    userDetails: { email: 'ann@example.com', role: 'dev', lastLogin: null },
  }),
];
const latest = '2026-11-02T00:00:00.000Z';
const groups = {
  email: ['ann@example.com', 'candidate@example.com'],
  technology: ['React', 'SQL', 'Unknown Technology', ''],
} as const;

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  server.use(
    ...historyHandlers((filter) => {
      const found = items.filter(
        ({ technology, userDetails }) =>
          technology.includes(filter.technology ?? '') && userDetails.email?.includes(filter.email ?? ''),
      );
      return HttpResponse.json({ recordings: found, nextCursor: null, total: found.length });
    }),
    http.get('/api/:kind/history/groups', ({ request }) => {
      const by = new URL(request.url).searchParams.get('by') as keyof typeof groups;
      return HttpResponse.json({ groups: groups[by].map((key) => ({ key, count: 1, latest })) });
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const modes = () =>
  within(screen.getByRole('radiogroup', { name: 'View mode' }))
    .getAllByRole<HTMLInputElement>('radio')
    .map((radio) => radio.labels?.[0]?.textContent);

describe.each(['/interviews', '/practiceInterviews'])('%s', (address) => {
  it("can be searched by participant email and has three view modes, 'all' first", async () => {
    const { user } = openApp(address, { role: 'admin' });
    expect(await screen.findByText('Hooks')).toBeVisible();
    expect(screen.getByPlaceholderText('Search by participant email...')).toBeVisible();
    expect(modes()).toEqual(['View All', 'View by Email', 'View by Technologies']);
    expect(screen.getByRole('radio', { name: 'View All' })).toBeChecked();
    await user.type(screen.getByPlaceholderText('Search by participant email...'), 'ann@');
    await waitFor(() => expect(screen.queryByText('Hooks')).not.toBeInTheDocument());
    expect(await screen.findByText('Joins')).toBeVisible();
  });

  it('hides the view by email from role dev', async () => {
    openApp(address, { role: 'dev' });
    expect(await screen.findByText('Hooks')).toBeVisible();
    expect(modes()).toEqual(['View All', 'View by Technologies']);
  });

  it.each([
    ['View by Email', 'ann@example.com', 'Joins', 'Hooks'],
    ['View by Technologies', 'React', 'Hooks', 'Joins'],
  ])('%s groups, and each group expands and collapses', async (mode, key, within, without) => {
    const { user } = openApp(address, { role: 'admin' });
    await user.click(await screen.findByRole('radio', { name: mode }));
    const group = await screen.findByRole('button', { name: new RegExp(`^${key}`) });
    expect(screen.queryByText(within)).not.toBeInTheDocument();
    await user.click(group);
    expect(await screen.findByText(within)).toBeVisible();
    expect(screen.queryByText(without)).not.toBeInTheDocument();
    await user.click(group);
    await waitFor(() => expect(screen.queryByText(within)).not.toBeInTheDocument());
  });

  it('has no group for an unknown technology', async () => {
    openApp(`${address}#view=technology`);
    expect(await screen.findByRole('button', { name: /^SQL/ })).toBeVisible();
    expect(screen.queryByText(/Unknown/)).not.toBeInTheDocument();
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2);
  });
});
