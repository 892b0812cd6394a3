import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { assignmentOf, groupOf, idOf, memberOf, rosterRowOf } from '../../../test/fake-groups.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const [groupId, assignmentId] = [idOf('a'), idOf('b')];
const ids = { ada: idOf('1'), alan: idOf('2'), grace: idOf('3') };
const group = groupOf({
  people: [
    memberOf(ids.ada, 'ada@example.com', '=Ada'),
    memberOf(ids.alan, 'alan@example.com', 'Alan'),
    { ...memberOf(ids.grace, 'grace@example.com'), workMail: false },
  ],
});
const work = assignmentOf();
const row = rosterRowOf({ userId: ids.ada });

async function openRoster(changes: Partial<Assignment> = {}): Promise<void> {
  server.use(
    http.get('*/api/groups/:id', () => HttpResponse.json({ group })),
    http.get('*/api/assignments', () => HttpResponse.json({ assignments: [{ ...work, ...changes }] })),
    http.get('*/api/rosters/:groupId/:assignmentId', () => HttpResponse.json({ rows: [row] })),
  );
  signInBefore('others');
  renderApp(`/groups/${groupId}/assignments/${assignmentId}`);
  await screen.findByRole('heading', { name: work.title });
}
const select = (name: string) => userEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));

/** The content of the file downloaded in a format. */
async function exported(button: string, format: string): Promise<{ name: string; bytes: Uint8Array }> {
  const saved: { name: string; blob: Blob }[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push({ name: '', blob: blob as Blob });
    return 'blob:1';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const last = saved.at(-1);
    if (last) last.name = this.download;
  });
  await userEvent.click(screen.getByRole('button', { name: button }));
  await userEvent.click(await screen.findByRole('menuitem', { name: format }));
  await waitFor(() => expect(saved[0]?.name).toBeTruthy(), { timeout: 5000 });
  const [file] = saved;
  return { name: file?.name ?? '', bytes: new Uint8Array((await file?.blob.arrayBuffer()) ?? []) };
}

test('Select all selects the shown members, not those hidden by the search', async () => {
  await openRoster();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 3' }));
  const actions = within(screen.getByRole('group', { name: 'Selected members' }));
  expect(actions.getByRole('button', { name: 'Export 3' })).toBeVisible();
  await pasteInto(screen.getByRole('searchbox', { name: 'Search members' }), 'alan');
  expect(actions.getByRole('button', { name: 'Export 1' })).toBeVisible();
  await userEvent.click(actions.getByRole('button', { name: 'Clear' }));
  await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(screen.getByRole('checkbox', { name: 'Select all 3' })).not.toBeChecked();
  await select('Alan');
  expect(screen.getByRole('checkbox', { name: '1 selected' })).toBePartiallyChecked();
});

test('a roster is exported as CSV as it is shown, without formulas', async () => {
  await openRoster();
  const { name, bytes } = await exported('Export', 'CSV');
  expect(name).toMatch(/^week-1-closures-\d{4}-\d\d-\d\d\.csv$/);
  const lines = new TextDecoder().decode(bytes).split('\r\n');
  expect(lines).toEqual([
    'Name,Email,State,Due,Takes,Best (%),Latest (%),Change,Time spoken (s),Last activity',
    expect.stringMatching(/^'=Ada,ada@example.com,Done,,2,80,70,-10,95,2026-11-20 \d\d:\d\d$/),
    'Alan,alan@example.com,Not started,,0,,,,0,',
    ',grace@example.com,Not started,,0,,,,0,',
  ]);
});

test('an Excel file contains only the selected members', async () => {
  await openRoster();
  await select('Alan');
  const { name, bytes } = await exported('Export 1', 'Excel (XLSX)');
  expect(name).toMatch(/\.xlsx$/);
  const { unzipSync, strFromU8 } = await import('fflate');
  const files = unzipSync(bytes);
  const text = Object.values(files)
    .map((file) => strFromU8(file))
    .join('\n');
  expect(text).toContain('alan@example.com');
  expect(text).not.toContain('ada@example.com');
});

test('a coach reminds the selected members, and sees who gets no email', async () => {
  await openRoster();
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/assignments/:id/reminders', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ reminded: [ids.alan, ids.grace], done: [ids.ada], recent: [], closed: [] });
    }),
  );
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 3' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remind' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remind 2 members?' }));
  expect(dialog.getByText(/1 member you selected is done\. 1 gets no emails/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Remind 2 members' }));
  const told = '1 member will get a reminder; 1 is done, 1 gets no emails about assigned work';
  expect(await screen.findByText(told)).toBeVisible();
  expect(sent).toEqual([{ userIds: [ids.ada, ids.alan, ids.grace] }]);
});

test('a coach gives a member an extension, and withdraws it', async () => {
  const dueAt = '2099-01-01T10:00:00.000Z';
  const extensions = [{ userId: ids.alan, dueAt: '2099-01-03T10:00:00.000Z' }];
  await openRoster({ dueAt, extensions });
  const sent: { dueAt: string | null }[] = [];
  server.use(
    http.put('*/api/assignments/:id/extensions', async ({ request }) => {
      sent.push((await request.json()) as { dueAt: string });
      return HttpResponse.json({ assignment: { ...work, dueAt } });
    }),
  );
  expect(screen.getByText(/^Jan 3, 2099/)).toBeVisible();
  await select('Alan');
  await userEvent.click(screen.getByRole('button', { name: 'Extend' }));
  let dialog = within(await screen.findByRole('dialog', { name: 'Extend for 1 member' }));
  const field = dialog.getByLabelText('Due');
  await userEvent.clear(field);
  await userEvent.click(dialog.getByRole('button', { name: 'Extend' }));
  expect(await dialog.findByText('Please choose when it is due for them')).toBeVisible();
  await userEvent.type(field, '2099-01-05T10:00');
  await userEvent.click(dialog.getByRole('button', { name: 'Extend' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Extend' }));
  dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Remove extension' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    { userIds: [ids.alan], dueAt: new Date('2099-01-05T10:00').toISOString() },
    { userIds: [ids.alan], dueAt: null },
  ]);
});

test('a coach writes to the selected members', async () => {
  await openRoster();
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/groups/:id/messages', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ mailed: 1, unreached: [ids.grace] });
    }),
  );
  await select('Alan');
  await select('grace@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Email' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Email 2 members' }));
  expect(dialog.getByText(/replies go to others@example.com. 1 of them gets none/)).toBeVisible();
  await pasteInto(dialog.getByLabelText('Subject'), 'Next week');
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText('Message is required')).toBeVisible();
  await pasteInto(dialog.getByLabelText('Message'), 'We meet on Monday.');
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }));
  const told = 'Email to 1 member is on its way; 1 gets no emails about assigned work';
  expect(await screen.findByText(told)).toBeVisible();
  expect(sent).toEqual([{ userIds: [ids.alan, ids.grace], subject: 'Next week', text: 'We meet on Monday.' }]);
});
