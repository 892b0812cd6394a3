import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore } from '../../../test/fake-api.ts';
import { refuseEdits, serveCatalog } from '../../../test/fake-catalog.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const set = setOf(1, {
  title: 'React hooks',
  questions: ['One?', 'Two?', 'Three?'],
  expertAnswers: ['1', '', '3'],
  tags: ['a', 'b'],
});
const address = `/edit/${set._id}`;

async function open() {
  signInBefore('admin');
  const app = renderApp(address);
  await screen.findByRole('button', { name: 'Save Changes' });
  return app;
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const question = (number: number) => screen.getByRole('textbox', { name: `Question ${number}` });
const answer = (number: number) => screen.getByRole('textbox', { name: `Expert answer ${number} (optional)` });
const newQuestion = () => screen.getByRole('textbox', { name: 'Add a new question' });

test('an unknown id leads home', async () => {
  serveCatalog({ interviewSets: [set] });
  signInBefore('admin');
  renderApp(`/edit/${'f'.repeat(24)}`);
  await screen.findByRole('heading', { name: 'Interview Sets' });
  expect(window.location.pathname).toBe('/');
});

test('a deep link finds the set by its id', async () => {
  serveCatalog({ interviewSets: [setOf(2), set] });
  await open();
  expect(screen.getByLabelText('Interview Set Title')).toHaveValue('React hooks');
  expect(screen.getByLabelText('Technology Category')).toHaveValue('react');
  expect(screen.getByLabelText('Technical Tags')).toHaveValue('a, b');
  expect(question(3)).toHaveValue('Three?');
  expect(answer(3)).toHaveValue('3');
  expect(document.title).toMatch(/^Edit React hooks/);
});

test('answers stay with their questions while questions are edited, moved, removed and added', async () => {
  const catalog = serveCatalog({ interviewSets: [set] });
  await open();
  await pasteInto(question(1), ' Really?');
  await userEvent.click(button('Remove question 2'));
  expect(question(2)).toHaveValue('Three?');
  await userEvent.click(button('Move question 2 up'));
  await userEvent.type(newQuestion(), '   {Enter}');
  expect(screen.queryByRole('textbox', { name: 'Question 3' })).toBeNull();
  await userEvent.type(newQuestion(), 'Four?{Enter}');
  expect(question(3)).toHaveValue('Four?');
  expect(newQuestion()).toHaveValue('');
  expect(newQuestion()).toHaveFocus();
  await userEvent.type(answer(3), '4');
  // Typed but not yet added: it counts too.
  await userEvent.type(newQuestion(), 'Five?');
  await userEvent.dblClick(button('Save Changes'));
  expect(await screen.findByText(/” was updated$/)).toBeVisible();
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  expect(catalog.changes).toEqual([
    {
      method: 'PUT',
      path: `/api/interviews/sets/${set._id}`,
      body: {
        title: 'React hooks',
        technology: 'react',
        questions: ['Three?', 'One? Really?', 'Four?', 'Five?'],
        expertAnswers: ['3', '1', '4', ''],
        expertPoints: [derivePoints('3'), derivePoints('1'), derivePoints('4'), []],
        tags: ['a', 'b'],
        vocabulary: [],
        language: null,
        status: 'published',
        asksFollowUps: false,
        thinkingSeconds: null,
        timeLimitSeconds: null,
        lengthHintSeconds: null,
      },
    },
  ]);
});

test('a blank question and a set without questions are shown as errors', async () => {
  const catalog = serveCatalog({ interviewSets: [set] });
  await open();
  await userEvent.clear(question(2));
  await userEvent.click(button('Save Changes'));
  expect(screen.getByText('A question cannot be blank')).toBeVisible();
  expect(question(2)).toHaveFocus();
  for (let removed = 0; removed < 3; removed += 1) await userEvent.click(button('Remove question 1'));
  expect(screen.getByText('Please add at least one question')).toBeVisible();
  expect(catalog.changes).toEqual([]);
});

test('a deleted technology must be selected again', async () => {
  serveCatalog({ interviewSets: [{ ...set, technology: 'Unknown Technology', technologySlug: 'gone' }] });
  await open();
  expect(screen.getByLabelText('Technology Category')).toHaveValue('');
  await userEvent.click(button('Save Changes'));
  expect(screen.getByText('Technology is required')).toBeVisible();
});

test('deleting lists what will be lost, and goes home', async () => {
  const catalog = serveCatalog({ interviewSets: [set] });
  await open();
  await userEvent.click(button('Delete Set'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/Its 3 questions and 2 expert answers will be deleted for good/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete “React hooks” and its 3 questions' }));
  expect(await screen.findByText(/” was deleted$/)).toBeVisible();
  expect(await screen.findByText('No interview sets found for this category.')).toBeVisible();
  expect(catalog.changes).toEqual([{ method: 'DELETE', path: `/api/interviews/sets/${set._id}`, body: undefined }]);
});

test('on a conflicting save, the later admin chooses: their version, or mine over theirs', async () => {
  const catalog = serveCatalog({ interviewSets: [{ ...set, version: 'v1' }] });
  const sent = refuseEdits('*/api/interviews/sets/:id', 'title');
  await open();
  const title = () => screen.getByLabelText('Interview Set Title');
  await userEvent.type(title(), ' mine');
  catalog.interviewSets = [{ ...set, title: 'Theirs', version: 'v2' }];
  await userEvent.click(button('Save Changes'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Changed in the meantime' }));
  expect(
    dialog.getByText(/anna@example\.com saved changes on .*: title\. Keeping yours replaces theirs\./),
  ).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Keep editing' }));
  expect(title()).toHaveValue('React hooks mine');

  await userEvent.click(button('Save Changes'));
  await userEvent.click(await screen.findByRole('button', { name: 'Show theirs' }));
  await waitFor(() => expect(title()).toHaveValue('Theirs'));

  catalog.interviewSets = [{ ...set, version: 'v1' }];
  await userEvent.type(title(), ' and mine');
  // Another user saves first once more.
  refuseEdits('*/api/interviews/sets/:id', 'title', { always: true });
  await userEvent.click(button('Save Changes'));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep mine' }));
  expect(await screen.findByText(/” was updated$/)).toBeVisible();
  expect(sent).toEqual(['"v1"', '"v1"', '"v2"']);
  expect(catalog.changes).toMatchObject([{ body: { title: 'Theirs and mine' } }]);
});

test('errors show their messages, and keep what was typed', async () => {
  serveCatalog({ interviewSets: [set] });
  server.use(
    http.put('*/api/interviews/sets/:id', () => new HttpResponse(null, { status: 500 })),
    http.delete('*/api/interviews/sets/:id', () => new HttpResponse(null, { status: 500 })),
  );
  await open();
  await pasteInto(question(1), ' Really?');
  await userEvent.click(button('Save Changes'));
  expect(await screen.findByText('Failed to update interview set')).toBeVisible();
  expect(question(1)).toHaveValue('One? Really?');
  await waitFor(() => expect(button('Delete Set')).toBeEnabled());
  await userEvent.click(button('Delete Set'));
  await userEvent.click(await screen.findByRole('button', { name: /^Delete “React hooks”/ }));
  expect(await screen.findByText('Failed to delete interview set')).toBeVisible();
  expect(question(1)).toHaveValue('One? Really?');
});

test('leaving with unsaved changes asks first', async () => {
  serveCatalog({ interviewSets: [set] });
  const { router } = await open();
  await userEvent.click(button('Move question 1 down'));
  await router.navigate('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByRole('heading', { name: 'Interview Sets' })).toBeVisible();
});

test("a set's vocabulary and language are saved", async () => {
  const catalog = serveCatalog({ interviewSets: [set] });
  await open();
  const language = screen.getByLabelText('Spoken language');
  expect(language).toHaveDisplayValue('Server default');
  // 99 languages, plus the server's default.
  expect(within(language).getAllByRole('option')).toHaveLength(100);
  await userEvent.selectOptions(language, 'Javanese');
  await userEvent.type(screen.getByLabelText('Vocabulary'), 'useEffect, virtual DOM,{Enter} useEffect,, Fiber');
  await userEvent.click(button('Save Changes'));
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  expect(catalog.changes).toMatchObject([
    { body: { vocabulary: ['useEffect', 'virtual DOM', 'Fiber'], language: 'jw' } },
  ]);
  expect(await screen.findByText('In Javanese')).toBeVisible();
});

test("a set's answer times are saved, turned off, and validated", async () => {
  const catalog = serveCatalog({ interviewSets: [setOf(1, { ...set, timeLimitSeconds: 180 })] });
  await open();
  await userEvent.type(screen.getByLabelText('Thinking time'), '3x');
  await userEvent.clear(screen.getByLabelText('Time limit'));
  await userEvent.type(screen.getByLabelText('Suggested length'), '120');
  await userEvent.click(button('Save Changes'));
  expect(screen.getByText('Thinking time must be a whole number of seconds from 0 to 600')).toBeVisible();
  expect(screen.getByLabelText('Thinking time')).toHaveFocus();
  await userEvent.type(screen.getByLabelText('Thinking time'), '{Backspace}0');
  await userEvent.click(button('Save Changes'));
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  expect(catalog.changes).toMatchObject([
    { body: { thinkingSeconds: 30, timeLimitSeconds: null, lengthHintSeconds: 120 } },
  ]);
});

test("a set's language can be reset to the server's default", async () => {
  const catalog = serveCatalog({ interviewSets: [setOf(1, { ...set, language: 'de' })] });
  await open();
  await userEvent.selectOptions(screen.getByLabelText('Spoken language'), 'Server default');
  await userEvent.click(button('Save Changes'));
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  expect(catalog.changes).toMatchObject([{ body: { language: null } }]);
});

test('a term that is too long is shown as an error at its field', async () => {
  const catalog = serveCatalog({ interviewSets: [set] });
  await open();
  await pasteInto(screen.getByLabelText('Vocabulary'), 'x'.repeat(61));
  await userEvent.click(button('Save Changes'));
  expect(screen.getByLabelText('Vocabulary')).toHaveAccessibleDescription(/A term must be at most 60 characters/);
  expect(catalog.changes).toEqual([]);
});
