import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { server, signInBefore } from '../../test/fake-api.ts';
import { pasteInto } from '../../test/paste-into.ts';
import { renderApp } from '../../test/render-app.tsx';

/** The Authorization header of each call to remove the app, and the step-up's request body. */
let removals: (string | null)[];
let proofs: unknown[];
let totp: boolean;
let passkeyOnly: boolean;

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  removals = [];
  proofs = [];
  totp = true;
  passkeyOnly = false;
  const refused = { message: "Confirm it's you.", code: 'step_up_required' };
  server.use(
    http.get('*/api/auth/sign-ins', () => HttpResponse.json({ signIns: [] })),
    http.get('*/api/auth/security', () =>
      HttpResponse.json({
        hasPassword: true,
        totp,
        recoveryCodesLeft: 10,
        secondFactorRequired: passkeyOnly,
        passkeys: passkeyOnly
          ? [{ id: 'key', isSynced: false, createdAt: '2026-11-20T10:15:30.000Z', lastUsedAt: null }]
          : [],
        passkeyHost: 'localhost',
        providers: [],
      }),
    ),
    http.delete('*/api/auth/totp', ({ request }) => {
      const authorization = request.headers.get('Authorization');
      removals.push(authorization);
      if (authorization !== 'Bearer fresh') return HttpResponse.json(refused, { status: 403 });
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/auth/step-up', async ({ request }) => {
      const proof = (await request.json()) as { code?: string };
      proofs.push(proof);
      if (proof.code !== '123456') return HttpResponse.json({ message: 'This code is not valid.' }, { status: 400 });
      return HttpResponse.json({ token: 'fresh' });
    }),
  );
  signInBefore('others');
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

async function removeTheApp(): Promise<void> {
  renderApp('/security');
  await press('Remove');
  await press('Remove the app');
  await screen.findByRole('dialog', { name: "Confirm it's you" });
}

test('a call that needs a fresh sign-in asks for the code, and continues with the fresh token', async () => {
  await removeTheApp();
  await pasteInto(await screen.findByLabelText('Code'), '000000');
  await press('Confirm');
  expect(await screen.findByText('This code is not valid.')).toBeVisible();
  await userEvent.clear(screen.getByLabelText('Code'));
  await pasteInto(screen.getByLabelText('Code'), '123456');
  await press('Confirm');
  expect(await screen.findByText('The authenticator app was removed')).toBeVisible();
  expect(removals).toEqual([expect.any(String), 'Bearer fresh']);
  expect(proofs).toEqual([{ code: '000000' }, { code: '123456' }]);
  expect(localStorage.getItem('authToken')).toBe('fresh');
});

test('a canceled step-up changes nothing, and says why', async () => {
  await removeTheApp();
  await press('Cancel');
  expect(await screen.findByText("Confirm it's you.")).toBeVisible();
  await waitFor(() => expect(screen.queryByLabelText('Code')).toBeNull());
  expect(removals).toHaveLength(1);
});

test('users whose second factor is a passkey are asked for it, and not for the password', async () => {
  totp = false;
  passkeyOnly = true;
  server.use(
    http.delete('*/api/auth/passkeys/key', () =>
      HttpResponse.json({ message: "Confirm it's you.", code: 'step_up_required' }, { status: 403 }),
    ),
    http.post('*/api/auth/passkey-sign-in/options', () => HttpResponse.json({ options: { challenge: 'AAAA' } })),
  );
  renderApp('/security');
  await press('Remove');
  await press('Remove the passkey');
  const dialog = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  expect(await dialog.findByText('Confirm with your passkey.')).toBeVisible();
  expect(dialog.queryByLabelText('Your password')).toBeNull();
  // This environment has no authenticator, which acts like a canceled dialog.
  await press('Confirm');
  expect(await dialog.findByText('No passkey was used')).toBeVisible();
  expect(proofs).toEqual([]);
});
