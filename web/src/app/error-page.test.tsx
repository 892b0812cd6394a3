import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorPage } from './router.tsx';

afterEach(() => vi.restoreAllMocks());

function Broken(): never {
  throw new Error('The list was empty');
}

test('a screen that throws shows the error page with the error and a way out; the console has the details', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <ErrorPage /> }]);
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  expect(screen.getByText('The list was empty')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reload this page' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/');
  expect(logged.mock.calls.flat()).toContainEqual(new Error('The list was empty'));
});
