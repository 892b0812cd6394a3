import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { serveCatalog } from '../../../test/fake-catalog.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

async function open() {
  signInBefore('admin');
  const app = renderApp('/new');
  await screen.findByLabelText('Interview Set Title');
  return app;
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const title = () => screen.getByLabelText('Interview Set Title');
const category = () => screen.getByLabelText('Technology Category');
const questions = () => screen.getByRole('textbox', { name: /^Questions/ });
const tags = () => screen.getByLabelText('Technical Tags');

test('without technologies it leads to the technologies screen', async () => {
  serveCatalog({ technologies: [] });
  signInBefore('admin');
  renderApp('/new');
  await userEvent.click(await screen.findByRole('link', { name: 'Add a technology' }));
  expect(await screen.findByRole('heading', { name: 'Manage Technologies' })).toBeVisible();
});

test('the select starts with Select Technology; values are slugs, labels are names', async () => {
  serveCatalog();
  await open();
  expect(
    within(category())
      .getAllByRole<HTMLOptionElement>('option')
      .map(({ value, textContent }) => [value, textContent]),
  ).toEqual([
    ['', 'Select Technology'],
    ['react', 'React'],
    ['node-js', 'Node.js'],
  ]);
});

test('saves parsed questions with their expert answers and tags, once, and goes home', async () => {
  const catalog = serveCatalog();
  await open();
  await pasteInto(title(), ' React basics ');
  await userEvent.selectOptions(category(), 'React');
  await pasteInto(questions(), '1. What is a hook?\n\n   \n2) Why keys?');
  await userEvent.click(button('Expert answers (optional)'));
  await pasteInto(screen.getByRole('textbox', { name: '2. Why keys?' }), 'Identity.');
  await userEvent.click(button('Points (1) of expert answer 2'));
  const point = screen.getByRole('textbox', { name: 'Text of point 1 of expert answer 2' });
  await userEvent.clear(point);
  await pasteInto(point, 'They keep identity.');
  const weight = screen.getByRole('spinbutton', { name: 'Weight of point 1 of expert answer 2' });
  await userEvent.clear(weight);
  await pasteInto(weight, '2');
  // A question inserted in between must take neither the answer nor its points.
  await userEvent.clear(questions());
  await pasteInto(questions(), '1. What is a hook?\n2. What is state?\n3. Why keys?');
  await pasteInto(tags(), ' hooks, , state ,hooks');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Ask follow-up questions' }));
  await userEvent.dblClick(button('Save Interview Set'));
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  expect(await screen.findByText(/^“.+” was created$/)).toBeVisible();
  expect(catalog.changes).toEqual([
    {
      method: 'POST',
      path: '/api/interviews/sets',
      body: {
        title: 'React basics',
        technology: 'react',
        questions: ['What is a hook?', 'What is state?', 'Why keys?'],
        tags: ['hooks', 'state'],
        vocabulary: [],
        language: null,
        status: 'published',
        asksFollowUps: true,
        thinkingSeconds: null,
        timeLimitSeconds: null,
        lengthHintSeconds: null,
        expertAnswers: ['', '', 'Identity.'],
        expertPoints: [[], [], [{ text: 'They keep identity.', weight: 2, acceptedWordings: [], optional: false }]],
      },
    },
  ]);
});

test('each missing field shows an error, and the first one gets the focus', async () => {
  const catalog = serveCatalog();
  await open();
  await pasteInto(questions(), ' \n 1. \n');
  await userEvent.click(button('Save Interview Set'));
  expect(screen.getByText('Title is required')).toBeVisible();
  expect(screen.getByText('Technology is required')).toBeVisible();
  expect(screen.getByText('Please add at least one question')).toBeVisible();
  expect(title()).toHaveFocus();
  expect(catalog.changes).toEqual([]);
  await userEvent.type(title(), 'A');
  expect(screen.queryByText('Title is required')).toBeNull();
});

test('a question that is too long is identified by its number', async () => {
  serveCatalog();
  await open();
  await userEvent.click(questions());
  await userEvent.paste(`Why?\n${'x'.repeat(2001)}`);
  await userEvent.click(button('Save Interview Set'));
  expect(screen.getByText('Question 2: Question must be at most 2,000 characters')).toBeVisible();
});

test.each([
  ['Failed to create interview set', null],
  ['This technology is not known', { message: 'This technology is not known', code: 'bad_request' }],
])('an error shows %j and keeps what was typed', async (message, body) => {
  serveCatalog();
  server.use(http.post('*/api/interviews/sets', () => HttpResponse.json(body, { status: 500 })));
  await open();
  await pasteInto(title(), 'React basics');
  await userEvent.selectOptions(category(), 'React');
  await userEvent.type(questions(), 'Why?');
  await userEvent.click(button('Save Interview Set'));
  expect(await screen.findByText(message)).toBeVisible();
  await waitFor(() => expect(button('Save Interview Set')).toBeEnabled());
  expect(title()).toHaveValue('React basics');
  expect(category()).toHaveValue('react');
  expect(questions()).toHaveValue('Why?');
});

test('a server error shows at its field until the field is changed', async () => {
  serveCatalog();
  const message = 'This technology is not known';
  server.use(
    http.post('*/api/interviews/sets', () =>
      HttpResponse.json({ message: 'Refused', code: 'x', details: [{ path: 'technology', message }] }, { status: 400 }),
    ),
  );
  await open();
  await pasteInto(title(), 'React basics');
  await userEvent.selectOptions(category(), 'React');
  await userEvent.type(questions(), 'Why?');
  await userEvent.click(button('Save Interview Set'));
  expect(await screen.findByText(message)).toBeVisible();
  await userEvent.selectOptions(category(), 'Node.js');
  expect(screen.queryByText(message)).toBeNull();
});

test('leaving asks first if something was typed, and not otherwise', async () => {
  serveCatalog();
  const { router } = await open();
  await userEvent.type(questions(), 'Why?');
  await router.navigate('/technologies');
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  expect(questions()).toHaveValue('Why?');
  await userEvent.clear(questions());
  await router.navigate('/technologies');
  expect(await screen.findByRole('heading', { name: 'Manage Technologies' })).toBeVisible();
});

test('until the sets are loaded, import and export are disabled, with a reason and a way to retry', async () => {
  serveCatalog();
  server.use(http.get('*/api/interviews/sets', () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('admin');
  renderApp('/new');
  expect(await screen.findByText('Failed to fetch interview sets')).toBeVisible();
  expect(screen.getByLabelText('Interview Set Title')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Import' })).toBeVisible();
});
