import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore } from '../../test/fake-api.ts';
import { practiceSetOf } from '../../test/fake-catalog.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const serve = (count: number) =>
  server.use(
    http.get('*/api/practice', () =>
      HttpResponse.json({ practiceSets: Array.from({ length: count }, (_, index) => practiceSetOf(index + 1)) }),
    ),
  );

test('a card per practice set, whose button starts the session', async () => {
  serve(2);
  signInBefore('others');
  renderApp('/practice');
  const button = await screen.findByRole('link', { name: 'Practice Interview: Practice 2' });
  expect(button).toHaveTextContent('Practice Interview');
  expect(button).toHaveAttribute('href', `/practice/session/${practiceSetOf(2)._id}`);
  const card = button.closest('li') as HTMLElement;
  expect(within(card).getByRole('heading', { name: 'Practice 2' })).toBeVisible();
  expect(card).toHaveTextContent('React');
  expect(card).toHaveTextContent('2 questions');
  expect(document.title).toBe('Practice Interview · Interview Preparation Platform');
});

test('skeletons show while sets load', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(http.get('*/api/practice', () => asked.then(() => HttpResponse.json({ practiceSets: [] }))));
  signInBefore('others');
  renderApp('/practice');
  expect(await screen.findByText('Loading practice sets…')).toBeInTheDocument();
  answer();
  expect(await screen.findByText('No practice sets yet.')).toBeVisible();
});

test.each([
  ['admin', 'Add a practice set', '/admin/practice'],
  ['others', 'Take an interview instead', '/'],
] as const)('without sets, the %s sees what to do next', async (role, label, href) => {
  serve(0);
  signInBefore(role);
  renderApp('/practice');
  expect(await screen.findByRole('link', { name: label })).toHaveAttribute('href', href);
});

test('many sets can be searched and paged', async () => {
  serve(30);
  signInBefore('others');
  renderApp('/practice');
  await screen.findByText('30 practice sets');
  expect(screen.getAllByRole('link', { name: /^Practice Interview: / })).toHaveLength(12);
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  expect(screen.getAllByRole('link', { name: /^Practice Interview: / })).toHaveLength(6);
  await userEvent.type(screen.getByRole('searchbox'), 'practice 30');
  expect(await screen.findByText('1 of 30 practice sets')).toBeVisible();
  await userEvent.type(screen.getByRole('searchbox'), 'x');
  expect(await screen.findByText('No practice sets match your search.')).toBeVisible();
});

test('a failed load shows a message, and can be retried', async () => {
  server.use(http.get('*/api/practice', () => new HttpResponse(null, { status: 502 })));
  signInBefore('others');
  renderApp('/practice');
  expect(await screen.findByText('Failed to load practice sets')).toBeVisible();
  expect(screen.getByText('Failed to fetch practice sets')).toBeVisible();
  serve(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 practice set')).toBeVisible();
});
