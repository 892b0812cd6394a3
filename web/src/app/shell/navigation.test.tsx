import type { Role } from '@interview-prep/contracts/auth/users';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signedOut } from '../../lib/state/sign-in-slice.ts';
import { server, signInBefore } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const forAll = ['Interview History', 'Practice Interview', 'Practice History'];
const forAdmins = ['Manage Users', 'Manage Technologies', 'Add Interview Set', 'Add Practice Set'];

test.each<[Role, string[]]>([
  ['admin', [...forAll, ...forAdmins]],
  ['dev', forAll],
  ['others', forAll],
])('the buttons for %s, in order and with their labels', async (role, labels) => {
  signInBefore(role);
  renderApp('/');
  const nav = await screen.findByRole('navigation', { name: 'Main' });
  expect(
    within(nav)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(labels);
});

test('the user menu leads to the profile and signs out', async () => {
  signInBefore('others');
  renderApp('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu for others@example.com' }));
  expect(await screen.findByRole('menuitem', { name: 'My Profile' })).toHaveAttribute('href', '/profile');
  expect(screen.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
});

test('the title links home, and the page title names the page', async () => {
  signInBefore('others');
  renderApp('/nowhere');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible();
  expect(document.title).toBe('Page not found · Interview Preparation Platform');
  await userEvent.click(screen.getByRole('link', { name: 'Interview Preparation Platform' }));
  expect(await screen.findByText('Showing 1 interview set')).toBeVisible();
  expect(document.title).toBe('Interview Sets · Interview Preparation Platform');
});

test('the color scheme can be selected', async () => {
  signInBefore('others');
  renderApp('/');
  await userEvent.click(await screen.findByRole('button', { name: /Account menu for/ }));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
  expect(document.documentElement.dataset.mantineColorScheme).toBe('dark');
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Light' }));
  expect(document.documentElement.dataset.mantineColorScheme).toBe('light');
});

test.each(['/forgot-password', '/technology-selection', '/payment', '/reset-password'])(
  '%s has no navigation bar',
  async (address) => {
    signInBefore('admin');
    renderApp(address);
    await screen.findByRole('main');
    expect(screen.queryByRole('navigation')).toBeNull();
  },
);

test('each page after the first moves the focus to its content', async () => {
  signInBefore('others');
  const { router, store } = renderApp('/nowhere');
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(document.body).toHaveFocus();
  const goTo = async (address: string, heading: string) => {
    await router.navigate(address);
    await screen.findByRole('heading', { level: 1, name: heading });
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
    screen.getAllByRole('link')[0]?.focus();
    expect(screen.getByRole('main')).not.toHaveFocus();
  };
  await goTo('/', 'Interview Sets');
  await goTo('/technology-selection', 'Choose your technologies');
  await goTo('/payment', 'Choose your plan');
  act(() => void store.dispatch(signedOut()));
  await goTo('/profile', 'Interview Platform Login');
  await goTo('/forgot-password', 'Forgot your password?');
});
