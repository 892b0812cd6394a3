import type { SignInPlace } from '@interview-prep/contracts/auth/sign-ins';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const placeOf = (id: string, more: Partial<SignInPlace>): SignInPlace => ({
  id,
  browser: null,
  system: null,
  address: null,
  network: 'public',
  signedInAt: ago(180),
  lastUsedAt: ago(120),
  expiresAt: ago(-60),
  isThis: false,
  ...more,
});

let signIns: SignInPlace[];
let ended: string[];
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  ended = [];
  signIns = [
    placeOf('a', { browser: 'Firefox', system: 'Linux', address: '10.0.0.5', network: 'this', isThis: true }),
    placeOf('b', { browser: 'Safari', system: 'iOS', address: '203.0.113.7' }),
    placeOf('c', { system: 'Windows', address: '192.168.1.20', network: 'private' }),
    placeOf('d', {}),
  ];
  server.use(
    http.get('*/api/auth/security', () =>
      HttpResponse.json({
        hasPassword: true,
        totp: true,
        recoveryCodesLeft: 10,
        secondFactorRequired: false,
        passkeys: [],
        passkeyHost: 'localhost',
        providers: [],
      }),
    ),
    http.get('*/api/auth/sign-ins', () => HttpResponse.json({ signIns })),
    http.delete('*/api/auth/sign-ins/:id', ({ params }) => {
      ended.push(String(params.id));
      signIns = signIns.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('*/api/auth/sign-ins', () => {
      ended.push('others');
      signIns = signIns.filter(({ isThis }) => isThis);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/auth/recovery-codes', () => HttpResponse.json({ recoveryCodes: ['aaaaa-bbbbb'] })),
  );
  signInBefore('others');
  renderApp('/security');
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const section = () => screen.findByRole('region', { name: "Where you're signed in" });

test('each sign-in shows device, IP address and times; the current one is marked and cannot be ended', async () => {
  const rows = (await within(await section()).findAllByRole('listitem')).map(({ textContent }) => textContent);
  const times = 'Signed in 3 hours ago, last used 2 hours ago';
  expect(rows).toEqual([
    `Firefox on LinuxThis device10.0.0.5 (this network)${times}`,
    `Safari on iOS203.0.113.7${times}Sign out`,
    `Windows192.168.1.20 (private network)${times}Sign out`,
    `Unknown deviceUnknown address${times}Sign out`,
  ]);
});

test('one can be ended, then all others, each after a confirmation', async () => {
  await press('Sign out Safari on iOS');
  expect(ended).toEqual([]);
  await press('Sign out');
  expect(await screen.findByText(/ was signed out$/)).toBeVisible();
  await press('Sign out everywhere else');
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out everywhere else' }),
  );
  expect(await screen.findByText('Signed out everywhere else')).toBeVisible();
  expect(ended).toEqual(['b', 'others']);
  expect(await within(await section()).findAllByRole('listitem')).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull();
});

test('changing a second factor offers to end the other sign-ins', async () => {
  await section();
  expect(screen.queryByText('You changed how you sign in')).toBeNull();
  await press('New recovery codes');
  expect(await screen.findByText('You changed how you sign in')).toBeVisible();
  expect(within(await section()).getByRole('button', { name: 'Sign out everywhere else' })).toBeVisible();
});
