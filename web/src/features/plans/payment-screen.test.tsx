import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { server, signInBefore, userOf } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

let recorded: unknown[];

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  recorded = [];
  server.use(
    http.post('*/api/auth/subscribe', async ({ request }) => {
      const body = (await request.json()) as object;
      recorded.push(body);
      return HttpResponse.json({ user: { ...userOf('others'), ...body } });
    }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  server.resetHandlers();
});
afterAll(() => server.close());

const plan = (name: string) => screen.findByRole('radio', { name });

async function openWithTimers() {
  renderApp('/payment');
  await plan('Basic Plan $9.99 per month');
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1 });
  return userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) });
}

test('shows three plans with prices and features, Basic selected, and says that nothing is charged', async () => {
  renderApp('/payment');
  expect(await plan('Basic Plan $9.99 per month')).toBeChecked();
  expect(await plan('Premium Plan $19.99 per month')).not.toBeChecked();
  expect(await plan('Enterprise Plan $49.99 per month')).not.toBeChecked();
  expect(screen.getAllByRole('radio')).toHaveLength(3);
  for (const line of ['Up to 10 practice sessions a month', 'Performance analytics', 'Dedicated support']) {
    expect(screen.getByText(line)).toBeVisible();
  }
  expect(screen.getByText(/You won't be charged/)).toBeVisible();
});

test("the user's plan is selected; a visitor can sign in", async () => {
  signInBefore('others', { plan: 'premium' });
  const { unmount } = renderApp('/payment');
  expect(await plan('Premium Plan $19.99 per month')).toBeChecked();
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
  unmount();
  localStorage.clear();
  renderApp('/payment');
  expect(await screen.findByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/');
});

test('shows Processing... for two seconds, saves the plan and goes home; a second click does nothing', async () => {
  signInBefore('others');
  const user = await openWithTimers();
  await user.click(await plan('Premium Plan $19.99 per month'));
  await user.click(screen.getByRole('button', { name: 'Subscribe' }));
  await user.click(screen.getByRole('button', { name: 'Processing...' }));
  expect(await plan('Basic Plan $9.99 per month')).toBeDisabled();
  await waitFor(() => expect(recorded).toEqual([{ plan: 'premium' }]));
  expect(window.location.pathname).toBe('/payment');
  act(() => void vi.advanceTimersByTime(2000));
  expect(await screen.findByText('You are now on the Premium Plan')).toBeVisible();
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  expect(recorded).toHaveLength(1);
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ plan: 'premium' });
});

test.each([
  [HttpResponse.json({ message: 'Please choose a plan' }, { status: 400 }), 'Please choose a plan'],
  [new HttpResponse(null, { status: 502 }), 'Failed to update user'],
])('an error shows its reason, and keeps the selection', async (response, reason) => {
  server.use(http.post('*/api/auth/subscribe', () => response));
  signInBefore('others');
  const user = await openWithTimers();
  await user.click(await plan('Enterprise Plan $49.99 per month'));
  await user.click(screen.getByRole('button', { name: 'Subscribe' }));
  act(() => void vi.advanceTimersByTime(2000));
  expect(await screen.findByText(`Payment failed: ${reason}`)).toBeVisible();
  expect(await plan('Enterprise Plan $49.99 per month')).toBeChecked();
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeEnabled();
});

test('without a user the plans are shown, and subscribing says that there is no user', async () => {
  renderApp('/payment');
  await plan('Basic Plan $9.99 per month');
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
  expect(await screen.findByText('User not found')).toBeVisible();
  expect(recorded).toEqual([]);
});

test('leaving during processing does not cancel it', async () => {
  server.use(http.get('*/api/auth/me', () => HttpResponse.json({ user: userOf('others') })));
  signInBefore('others');
  const user = await openWithTimers();
  await user.click(screen.getByRole('button', { name: 'Subscribe' }));
  await waitFor(() => expect(recorded).toHaveLength(1));
  act(() => window.history.pushState(null, '', '/profile'));
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
  await screen.findByRole('heading', { name: 'My Profile' });
  act(() => void vi.advanceTimersByTime(5000));
  expect(window.location.pathname).toBe('/profile');
});
