import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { practiceSetOf, refuseEdits, serveCatalog } from '../../../test/fake-catalog.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const incomplete = 'Please add at least one question and answer';
async function open() {
  signInBefore('admin');
  const app = renderApp('/admin/practice');
  await screen.findByRole('form', { name: 'Add practice set' });
  return app;
}
const adding = () => within(screen.getByRole('form', { name: 'Add practice set' }));
const editing = (title: string) => within(screen.getByRole('form', { name: `Edit ${title}` }));
const button = (name: string | RegExp) => screen.getByRole('button', { name });

async function fillHead() {
  await userEvent.type(adding().getByLabelText('Title'), 'Hooks');
  await userEvent.selectOptions(adding().getByLabelText('Technology'), 'React');
}

test('a set is added with its pairs; the last pair cannot be removed', async () => {
  const catalog = serveCatalog();
  await open();
  expect(screen.getByText('No practice sets added yet')).toBeVisible();
  await fillHead();
  expect(adding().queryByRole('button', { name: /^Remove/ })).toBeNull();
  await pasteInto(adding().getByLabelText('Question 1'), 'What is a hook?');
  await pasteInto(adding().getByLabelText('Answer 1'), 'A function.');
  await userEvent.click(adding().getByRole('button', { name: 'Add Question' }));
  await userEvent.click(adding().getByRole('button', { name: 'Add Question' }));
  await userEvent.click(adding().getByRole('button', { name: 'Remove question 2' }));
  await pasteInto(adding().getByLabelText('Question 2'), 'Why keys?');
  await pasteInto(adding().getByLabelText('Answer 2'), 'Identity.');
  await pasteInto(adding().getByLabelText('Tags'), ' a, ,b ');
  await userEvent.dblClick(adding().getByRole('button', { name: 'Add Practice Set' }));
  expect(await screen.findByText('Hooks')).toBeVisible();
  expect(catalog.changes).toEqual([
    {
      method: 'POST',
      path: '/api/practice',
      body: {
        title: 'Hooks',
        technology: 'react',
        questions: ['What is a hook?', 'Why keys?'],
        answers: ['A function.', 'Identity.'],
        tags: ['a', 'b'],
        vocabulary: [],
        language: null,
        status: 'published',
      },
    },
  ]);
  expect(adding().getByLabelText('Title')).toHaveValue('');
  expect(adding().getByLabelText('Question 1')).toHaveValue('');
});

test.each([
  ['nothing', '', ''],
  ['a question only', 'Why?', ''],
  ['an answer only', '', 'So.'],
])('with %s in the pair the one message is shown', async (_what, question, answer) => {
  const catalog = serveCatalog();
  await open();
  await fillHead();
  await pasteInto(adding().getByLabelText('Question 1'), `${question} `);
  await pasteInto(adding().getByLabelText('Answer 1'), `${answer} `);
  await userEvent.click(adding().getByRole('button', { name: 'Add Practice Set' }));
  expect(screen.getByText(incomplete)).toBeVisible();
  expect(catalog.changes).toEqual([]);
});

test('a blank field next to a complete pair shows an error; title and technology are required', async () => {
  const catalog = serveCatalog();
  await open();
  await userEvent.type(adding().getByLabelText('Question 1'), 'Why?');
  await userEvent.type(adding().getByLabelText('Answer 1'), 'So.');
  await userEvent.click(adding().getByRole('button', { name: 'Add Question' }));
  await userEvent.type(adding().getByLabelText('Question 2'), 'How?');
  await userEvent.click(adding().getByRole('button', { name: 'Add Practice Set' }));
  for (const message of ['Title is required', 'Technology is required', 'An answer cannot be blank']) {
    expect(screen.getByText(message)).toBeVisible();
  }
  expect(screen.queryByText(incomplete)).toBeNull();
  expect(catalog.changes).toEqual([]);
});

test('a set is edited inline, and saved', async () => {
  const catalog = serveCatalog({ practiceSets: [practiceSetOf(1), practiceSetOf(2)] });
  await open();
  await userEvent.click(button('Edit Practice 2'));
  const form = editing('Practice 2');
  expect(form.getByLabelText('Title')).toHaveFocus();
  expect(form.getByLabelText('Answer 2')).toHaveValue('Identity.');
  await userEvent.click(form.getByRole('button', { name: 'Move question 1 down' }));
  await userEvent.type(form.getByLabelText('Title'), '!');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/^“.+” was updated$/)).toBeVisible();
  expect(await screen.findByText('Practice 2!')).toBeVisible();
  expect(button('Edit Practice 2!')).toHaveFocus();
  expect(catalog.changes).toMatchObject([
    {
      method: 'PUT',
      path: `/api/practice/${practiceSetOf(2)._id}`,
      body: { questions: ['Why keys?', 'What is a hook?'], answers: ['Identity.', 'A function.'] },
    },
  ]);
});

test('on a conflicting save, the later admin chooses: their version, or mine over theirs', async () => {
  const catalog = serveCatalog({ practiceSets: [practiceSetOf(1, { version: 'v1' })] });
  const sent = refuseEdits('*/api/practice/:id', 'title');
  await open();
  await userEvent.click(button('Edit Practice 1'));
  await userEvent.type(editing('Practice 1').getByLabelText('Title'), ' mine');
  catalog.practiceSets = [practiceSetOf(1, { title: 'Theirs', version: 'v1' })];
  await userEvent.click(editing('Practice 1').getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show theirs' }));
  await waitFor(() => expect(editing('Theirs').getByLabelText('Title')).toHaveValue('Theirs'));
  await userEvent.type(editing('Theirs').getByLabelText('Title'), ' and mine');
  await userEvent.click(editing('Theirs').getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep mine' }));
  expect(await screen.findByText('Theirs and mine')).toBeVisible();
  expect(sent).toEqual(['"v1"', '"v1"', '"v2"']);
});

test('canceling an edit leaves the set unchanged; starting another edit asks before discarding', async () => {
  const catalog = serveCatalog({ practiceSets: [practiceSetOf(1), practiceSetOf(2)] });
  await open();
  await userEvent.click(button('Edit Practice 1'));
  await userEvent.type(editing('Practice 1').getByLabelText('Title'), '!');
  await userEvent.click(button('Edit Practice 2'));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(editing('Practice 1').getByLabelText('Title')).toHaveValue('Practice 1!');
  await userEvent.click(editing('Practice 1').getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('Practice 1')).toBeVisible();
  expect(button('Edit Practice 1')).toHaveFocus();
  expect(catalog.changes).toEqual([]);
});

test('questions and answers are shown on demand', async () => {
  serveCatalog({ practiceSets: [practiceSetOf(1)] });
  await open();
  const toggle = button('Questions and answers of Practice 1');
  expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(toggle);
  expect(toggle).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByText('Identity.')).toBeInTheDocument();
});

test('sets are filtered by status, archived and published again', async () => {
  const draft = practiceSetOf(2, { status: 'draft' });
  const catalog = serveCatalog({ practiceSets: [practiceSetOf(1), draft] });
  await open();
  await userEvent.click(button('Archive Practice 1'));
  expect(await screen.findByText('“Practice 1” archived')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Draft 1' }));
  expect(screen.queryByText('Practice 1')).toBeNull();
  await userEvent.click(button('Publish Practice 2'));
  expect(await screen.findByText('No practice sets here')).toBeVisible();
  expect(catalog.changes).toMatchObject([
    { method: 'PUT', path: `/api/practice/${practiceSetOf(1)._id}/status`, body: { status: 'archived' } },
    { method: 'PUT', path: `/api/practice/${draft._id}/status`, body: { status: 'published' } },
  ]);
});

test('deleting asks the specified question and calls the specified path', async () => {
  const catalog = serveCatalog({ practiceSets: [practiceSetOf(1)] });
  await open();
  await userEvent.click(button('Delete Practice 1'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Are you sure you want to delete this practice set?')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete “Practice 1” and its 2 questions' }));
  expect(await screen.findByText(/^“.+” was deleted$/)).toBeVisible();
  expect(await screen.findByText('No practice sets added yet')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('region', { name: 'Practice sets' })).toHaveFocus();
  expect(catalog.changes).toMatchObject([{ method: 'DELETE', path: `/api/practices/sets/${practiceSetOf(1)._id}` }]);
});

test('errors show their messages, and keep what was typed', async () => {
  serveCatalog({ practiceSets: [practiceSetOf(1)] });
  const refuse = () => new HttpResponse(null, { status: 500 });
  server.use(
    http.post('*/api/practice', refuse),
    http.put('*/api/practice/:id', refuse),
    http.delete('*/api/practices/sets/:id', refuse),
  );
  await open();
  await fillHead();
  await userEvent.type(adding().getByLabelText('Question 1'), 'Why?');
  await userEvent.type(adding().getByLabelText('Answer 1'), 'So.');
  await userEvent.click(adding().getByRole('button', { name: 'Add Practice Set' }));
  expect(await screen.findByText('Failed to create practice set')).toBeVisible();
  expect(adding().getByLabelText('Answer 1')).toHaveValue('So.');
  await userEvent.click(button('Edit Practice 1'));
  await userEvent.click(editing('Practice 1').getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Failed to update practice set')).toBeVisible();
  await userEvent.click(editing('Practice 1').getByRole('button', { name: 'Cancel' }));
  await userEvent.click(button('Delete Practice 1'));
  await userEvent.click(await screen.findByRole('button', { name: /^Delete “Practice 1”/ }));
  expect(await screen.findByText('Failed to delete practice set')).toBeVisible();
});

test('a failed load shows a message and can be retried', async () => {
  serveCatalog({ practiceSets: [practiceSetOf(1)] });
  server.use(http.get('*/api/practice', () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('admin');
  renderApp('/admin/practice');
  expect(await screen.findByText('Failed to fetch practice sets')).toBeVisible();
  expect(await screen.findByText('Failed to load practice sets')).toBeVisible();
  await userEvent.click(button('Try again'));
  expect(await screen.findByText('Practice 1')).toBeVisible();
});

test('without technologies it leads to the technologies screen', async () => {
  serveCatalog({ technologies: [] });
  signInBefore('admin');
  renderApp('/admin/practice');
  expect(await screen.findByRole('link', { name: 'Add a technology' })).toHaveAttribute('href', '/technologies');
});

test('leaving with an unsaved set asks first', async () => {
  serveCatalog();
  const { router } = await open();
  await fillHead();
  await router.navigate('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(adding().getByLabelText('Title')).toHaveValue('Hooks'));
});

test("a set's vocabulary and language are shown, changed and saved", async () => {
  const set = practiceSetOf(1, { vocabulary: ['useEffect', 'PostgreSQL'], language: 'de' });
  const catalog = serveCatalog({ practiceSets: [set] });
  await open();
  expect(adding().getByLabelText('Spoken language')).toHaveDisplayValue('Server default');
  await userEvent.click(button('Edit Practice 1'));
  const form = editing('Practice 1');
  expect(form.getByLabelText('Vocabulary')).toHaveValue('useEffect, PostgreSQL');
  expect(form.getByLabelText('Spoken language')).toHaveDisplayValue('German');
  await userEvent.clear(form.getByLabelText('Vocabulary'));
  await userEvent.selectOptions(form.getByLabelText('Spoken language'), 'French');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/^“.+” was updated$/)).toBeVisible();
  expect(catalog.changes).toMatchObject([{ method: 'PUT', body: { vocabulary: [], language: 'fr' } }]);
});
