import type { ListedShare } from '@interview-prep/contracts/recording/shares';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { paths } from '../../../lib/paths.ts';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open() {
  signInBefore('admin');
  renderApp(paths.shareLinks);
  return userEvent.setup();
}

const shareOf = (id: string, title: string): ListedShare => ({
  id,
  role: 'read',
  shows: { media: false, transcript: true, verdicts: true },
  createdAt: '2026-11-20T08:00:00.000Z',
  expiresAt: '2026-11-27T08:00:00.000Z',
  interviewId: 'a'.repeat(24),
  title,
  email: 'ada@example.com',
});

function serve(links: { total?: number; enabled?: boolean } = {}) {
  const sent: string[] = [];
  let shares = [shareOf('1'.repeat(24), 'Closures'), { ...shareOf('2'.repeat(24), 'Hooks'), role: 'review' as const }];
  server.use(
    http.get('/api/shares', () => HttpResponse.json({ shares, total: shares.length, enabled: true, ...links })),
    http.delete('/api/shares/:id', ({ params }) => {
      sent.push(String(params.id));
      shares = shares.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('/api/shares', () => {
      sent.push('all');
      shares = [];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

test('an admin sees what each link allows, and revokes one', async () => {
  const sent = serve();
  const user = open();
  expect(await screen.findByText(/Can view transcripts, scores/)).toBeVisible();
  expect(screen.getByText(/Can view everything and leave feedback/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Revoke the link to Closures of ada@example.com' }));
  await waitFor(() => expect(screen.queryByText('Closures')).toBeNull());
  expect(sent).toEqual(['1'.repeat(24)]);
});

test('all links are revoked after a confirmation', async () => {
  const sent = serve();
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Revoke all links' }));
  expect(sent).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Revoke 2 links' }));
  expect(await screen.findByText('No active links')).toBeVisible();
  expect(sent).toEqual(['all']);
});

test('it says so if links are turned off', async () => {
  serve({ enabled: false });
  open();
  expect(await screen.findByText('Sharing is turned off on this server. No link works.')).toBeVisible();
});
