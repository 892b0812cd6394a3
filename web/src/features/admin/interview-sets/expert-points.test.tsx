import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore } from '../../../test/fake-api.ts';
import { serveCatalog } from '../../../test/fake-catalog.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const first = 'A read is fast. It is small.';
const edited = [{ text: 'Safe', weight: 2, acceptedWordings: ['Secure', 'Sound'], optional: true }];
const set = setOf(1, {
  title: 'React hooks',
  questions: ['One?', 'Two?', 'Three?'],
  expertAnswers: [first, 'A write is safe.', ''],
  expertPoints: [derivePoints(first), edited, []],
});

async function open() {
  const catalog = serveCatalog({ interviewSets: [set] });
  signInBefore('admin');
  renderApp(`/edit/${set._id}`);
  await screen.findByRole('button', { name: 'Save Changes' });
  return catalog;
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const text = (point: number, answer: number) =>
  screen.getByRole('textbox', { name: `Text of point ${point} of expert answer ${answer}` });
const weight = (point: number, answer: number) =>
  screen.getByRole('spinbutton', { name: `Weight of point ${point} of expert answer ${answer}` });
const optional = (point: number, answer: number) =>
  screen.getByRole('checkbox', { name: `Optional (point ${point} of expert answer ${answer})` });
const wordings = (point: number, answer: number) =>
  screen.getByRole('textbox', { name: `Accepted wordings, one per line of point ${point} of expert answer ${answer}` });
const again = /Reset the points from the expert answer/;
async function savedPoints(catalog: { changes: readonly { body: unknown }[] }) {
  await userEvent.click(button('Save Changes'));
  await waitFor(() => expect(catalog.changes).toHaveLength(1));
  const body = catalog.changes[0]?.body as { expertPoints: unknown } | undefined;
  return body?.expertPoints;
}

test('points are collapsed under their expert answer, and show the saved ones', async () => {
  await open();
  const fold = button('Points (2) of expert answer 1');
  expect(fold).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('textbox', { name: /Text of point 1/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /of expert answer 3/ })).toBeNull();
  fold.focus();
  await userEvent.keyboard('{Enter}');
  expect(fold).toHaveAttribute('aria-expanded', 'true');
  expect(text(2, 1)).toHaveValue('A read is small.');

  await userEvent.click(button('Points (1) of expert answer 2'));
  expect(text(1, 2)).toHaveValue('Safe');
  expect(weight(1, 2)).toHaveValue(2);
  expect(optional(1, 2)).toBeChecked();
  expect(wordings(1, 2)).toHaveValue('Secure\nSound');
  expect(screen.queryByRole('button', { name: 'Remove point 1 of expert answer 2' })).toBeNull();
});

test('points can be edited, added and removed', async () => {
  const catalog = await open();
  await userEvent.click(button('Points (2) of expert answer 1'));
  await userEvent.type(text(1, 1), '!');
  expect(text(1, 1)).toHaveFocus();
  await userEvent.clear(weight(1, 1));
  await userEvent.type(weight(1, 1), '1.5');
  await userEvent.click(optional(1, 1));
  await userEvent.type(wordings(1, 1), ' Quick {Enter}{Enter}Speedy');
  await userEvent.click(button('Add point to expert answer 1'));
  expect(text(3, 1)).toHaveFocus();
  await pasteInto(text(3, 1), 'It is new.');
  await userEvent.click(button('Remove point 2 of expert answer 1'));
  expect(text(2, 1)).toHaveFocus();
  expect(await savedPoints(catalog)).toEqual([
    [
      { text: 'A read is fast.!', weight: 1.5, acceptedWordings: ['Quick', 'Speedy'], optional: true },
      { text: 'It is new.', weight: 1, acceptedWordings: [], optional: false },
    ],
    edited,
    [],
  ]);
});

test('unedited points follow the expert answer; edited ones are derived again on request', async () => {
  const catalog = await open();
  const answer = (number: number) => screen.getByRole('textbox', { name: `Expert answer ${number} (optional)` });
  await pasteInto(answer(1), ' It is new.');
  expect(button('Points (3) of expert answer 1')).toBeVisible();
  expect(screen.queryByText(/The expert answer has changed/)).toBeNull();

  await pasteInto(answer(2), ' It is sound.');
  await userEvent.click(button('Points (1) of expert answer 2'));
  expect(screen.getByText(/The expert answer has changed since/)).toBeVisible();
  await userEvent.click(button(again));
  expect(screen.queryByText(/The expert answer has changed/)).toBeNull();
  expect(text(2, 2)).toHaveValue('A write is sound.');
  expect(screen.queryByRole('button', { name: again })).toBeNull();
  expect(await savedPoints(catalog)).toEqual([
    derivePoints(`${first} It is new.`),
    derivePoints('A write is safe. It is sound.'),
    [],
  ]);
});

test('an error in a point is shown and gets the focus', async () => {
  const catalog = await open();
  await userEvent.click(button('Points (2) of expert answer 1'));
  await userEvent.clear(text(2, 1));
  await userEvent.clear(weight(1, 1));
  await userEvent.click(button('Points (2) of expert answer 1'));
  await userEvent.click(button('Save Changes'));
  expect(screen.getByText('Weight is required')).toBeVisible();
  expect(screen.getByText('Point is required')).toBeVisible();
  expect(weight(1, 1)).toHaveFocus();
  expect(catalog.changes).toEqual([]);
});
