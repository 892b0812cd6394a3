import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { server, signInBefore, userOf } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

const names = ['Angular', 'Go', 'Java', 'React', 'SQL'];
const technologies = names.map((name) => ({ id: name, name, slug: name.toLowerCase() }));
let saved: unknown[];

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  saved = [];
  server.use(
    http.get('*/api/technologies', () => HttpResponse.json({ technologies })),
    http.put('*/api/users/:id', async ({ request, params }) => {
      const body = (await request.json()) as { technologies: string[] };
      saved.push({ id: params.id, ...body });
      return HttpResponse.json({ user: { ...userOf('others'), ...body } });
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const box = (name: string) => screen.findByRole('checkbox', { name });
async function toggle(...chosen: string[]) {
  for (const name of chosen) await userEvent.click(await box(name));
}
const goOn = async () => userEvent.click(await screen.findByRole('button', { name: 'Continue to Payment' }));

test('at most three: then the others are disabled until one is deselected', async () => {
  signInBefore('others');
  renderApp('/technology-selection');
  await toggle('Angular', 'Go', 'React');
  expect(screen.getByText(/^3 of 3 chosen/)).toBeVisible();
  expect(await box('Java')).toBeDisabled();
  expect(await box('SQL')).toBeDisabled();
  expect(await box('React')).toBeEnabled();
  await toggle('React');
  expect(await box('Java')).toBeEnabled();
  expect(screen.getByText('2 of 3 chosen')).toBeVisible();
});

test('at least one', async () => {
  signInBefore('others');
  renderApp('/technology-selection');
  await box('Go');
  await goOn();
  expect(screen.getByRole('alert')).toHaveTextContent('Please select at least one technology');
  await toggle('Go');
  expect(screen.queryByText('Please select at least one technology')).toBeNull();
  expect(saved).toEqual([]);
});

test('the selection is saved for the user, then the payment follows; a double click saves once', async () => {
  signInBefore('others');
  const { store } = renderApp('/technology-selection');
  await toggle('Go', 'SQL');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Continue to Payment' }));
  expect(await screen.findByRole('heading', { name: 'Choose your plan' })).toBeVisible();
  expect(window.location.pathname).toBe('/payment');
  expect(saved).toEqual([{ id: userOf('others').id, technologies: ['go', 'sql'] }]);
  expect(store.getState().signIn).toMatchObject({ user: { technologies: ['go', 'sql'] } });
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ technologies: ['go', 'sql'] });
});

test('an earlier selection is restored, without deleted technologies', async () => {
  signInBefore('others', { technologies: ['react', 'cobol'] });
  renderApp('/technology-selection');
  expect(await box('React')).toBeChecked();
  expect(screen.getByText('1 of 3 chosen')).toBeVisible();
});

test('more than three, which an admin can set, must be reduced', async () => {
  signInBefore('dev', { technologies: ['angular', 'go', 'java', 'react'] });
  renderApp('/technology-selection');
  await box('Go');
  await goOn();
  expect(screen.getByRole('alert')).toHaveTextContent('Please select at most 3 technologies');
  expect(saved).toEqual([]);
});

test('without a user the technologies are shown, and continuing says that there is no user', async () => {
  renderApp('/technology-selection');
  await toggle('Go');
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/');
  await goOn();
  await waitFor(() => expect(screen.getAllByText('User not found')).toHaveLength(2));
  expect(window.location.pathname).toBe('/technology-selection');
  expect(saved).toEqual([]);
});

test.each([
  [HttpResponse.json({ message: 'This technology is not known' }, { status: 400 }), 'This technology is not known'],
  [new HttpResponse(null, { status: 502 }), 'Failed to update user'],
])('an error shows its reason, and keeps the selection', async (response, reason) => {
  server.use(http.put('*/api/users/:id', () => response));
  signInBefore('others');
  renderApp('/technology-selection');
  await toggle('Go');
  await goOn();
  expect(await screen.findByText(`Failed to update technologies: ${reason}`)).toBeVisible();
  expect(await box('Go')).toBeChecked();
});

test('a failed load shows the reason, and can be retried', async () => {
  server.use(http.get('*/api/technologies', () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('others');
  renderApp('/technology-selection');
  const shown = await screen.findAllByText('Failed to load technologies: Failed to fetch technologies');
  expect(shown[0]).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await box('Go')).toBeVisible();
});

test('an empty list says who adds technologies', async () => {
  server.use(http.get('*/api/technologies', () => HttpResponse.json({ technologies: [] })));
  signInBefore('others');
  renderApp('/technology-selection');
  expect(await screen.findByText('An admin needs to add some first. Please come back later.')).toBeVisible();
});
