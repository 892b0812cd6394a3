import type { Role } from '@interview-prep/contracts/auth/users';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
])('the buttons of %s, in their order and words', async (role, labels) => {
  signInBefore(role);
  renderApp('/');
  const nav = await screen.findByRole('navigation', { name: 'Main' });
  expect(
    within(nav)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(labels);
});

test('the user menu leads to the profile and out', async () => {
  signInBefore('others');
  renderApp('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu for others@example.com' }));
  expect(await screen.findByRole('menuitem', { name: 'My Profile' })).toHaveAttribute('href', '/profile');
  expect(screen.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
});
