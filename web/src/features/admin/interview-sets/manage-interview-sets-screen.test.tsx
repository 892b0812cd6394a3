import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore } from '../../../test/fake-api.ts';
import { serveCatalog } from '../../../test/fake-catalog.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const sets = [
  setOf(1, { title: 'Hooks', version: 'v1', updatedBy: { email: 'anna@example.com' } }),
  setOf(2, { title: 'Streams', technology: 'Node.js', status: 'draft' }),
  setOf(3, { title: 'Classes', status: 'archived' }),
];

async function open(address = '/admin/sets') {
  const catalog = serveCatalog({ interviewSets: sets });
  signInBefore('admin');
  renderApp(address);
  await screen.findByRole('table');
  return catalog;
}
const titles = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('link').textContent);
const row = (title: string) => within(screen.getByRole('link', { name: title }).closest('tr') as HTMLElement);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

test('every set is listed with its status and who changed it, searched, and filtered by status', async () => {
  await open();
  expect(titles()).toEqual(['Hooks', 'Streams', 'Classes']);
  expect(row('Hooks').getByText('Published')).toBeVisible();
  expect(row('Hooks').getByText('anna@example.com')).toBeVisible();
  expect(row('Streams').getByText('Draft')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Archived 1' }));
  expect(titles()).toEqual(['Classes']);
  await waitFor(() => expect(window.location.hash).toBe('#status=archived'));
  await userEvent.click(screen.getByRole('radio', { name: 'All 3' }));
  await userEvent.type(screen.getByRole('searchbox'), 'node');
  expect(titles()).toEqual(['Streams']);
});

test('a set is archived and published again, using the shown version', async () => {
  const catalog = await open();
  const versions: (string | null)[] = [];
  server.use(
    http.put('*/api/interviews/sets/:id/status', ({ request }) => {
      versions.push(request.headers.get('If-Match'));
    }),
  );
  await press('Archive Hooks');
  expect(await screen.findByText('“Hooks” archived')).toBeVisible();
  expect(row('Hooks').getByText('Archived')).toBeVisible();
  await press('Publish Streams');
  expect(await screen.findByText('“Streams” published')).toBeVisible();
  expect(catalog.changes.map(({ body }) => body)).toEqual([{ status: 'archived' }, { status: 'published' }]);
  expect(versions).toEqual(['"v1"', null]);
});

test('a conflicting status change names who was first', async () => {
  await open();
  const message = 'anna@example.com has changed this in the meantime: status';
  server.use(http.put('*/api/interviews/sets/:id/status', () => HttpResponse.json({ message }, { status: 409 })));
  await press('Archive Hooks');
  expect(await screen.findByText(message)).toBeVisible();
});

test('deleting names the set, and removes it from the list', async () => {
  await open();
  await press('Delete Classes');
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete “Classes” and its 2 questions' }));
  expect(await screen.findByText(/^“.+” was deleted$/)).toBeVisible();
  await waitFor(() => expect(titles()).toEqual(['Hooks', 'Streams']));
});
