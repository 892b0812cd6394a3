import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom';
import { expect, test } from 'vitest';
import { LeaveGuard } from './leave-guard.tsx';

function open(when: boolean) {
  const page = (
    <>
      <LeaveGuard when={when} />
      <Link to="/other">Go</Link>
      <Link to="?page=2">Turn</Link>
    </>
  );
  const router = createMemoryRouter([
    { path: '/', element: page },
    { path: '/other', element: <p>Other page</p> },
  ]);
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return router;
}

test('asks before leaving, then stays or leaves as the user chooses', async () => {
  open(true);
  await userEvent.click(screen.getByText('Go'));
  expect(await screen.findByText('Leave without saving?')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
  expect(screen.queryByText('Other page')).toBeNull();
  await userEvent.click(screen.getByText('Go'));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('Other page')).toBeInTheDocument();
});

test('does not ask when only the query string changes', async () => {
  const router = open(true);
  await userEvent.click(screen.getByText('Turn'));
  expect(router.state.location.search).toBe('?page=2');
});

test('does not ask when nothing can be lost', async () => {
  open(false);
  await userEvent.click(screen.getByText('Go'));
  expect(await screen.findByText('Other page')).toBeInTheDocument();
});

test.each([
  [true, true],
  [false, false],
])('when closing the tab with something unsaved %s, the browser asks %s', (when, asks) => {
  open(when);
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(asks);
});
