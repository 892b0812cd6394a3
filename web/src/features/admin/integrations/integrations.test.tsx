import type { ApiKey } from '@interview-prep/contracts/auth/api-keys';
import type { LtiPlatform } from '@interview-prep/contracts/auth/lti';
import type { Webhook, WebhookDelivery } from '@interview-prep/contracts/auth/webhooks';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { server, signInBefore, userOf } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const at = '2026-11-20T10:00:00.000Z';
const later = '2126-11-20T10:00:00.000Z';
const owner = { userId: userOf('admin').id, email: userOf('admin').email };
const keyOf = (changes: Partial<ApiKey> = {}): ApiKey => ({
  id: 'a'.repeat(24),
  name: 'Reports',
  scopes: ['results:read'],
  start: 'ipp_abcdef',
  owner,
  createdAt: at,
  expiresAt: later,
  lastUsedAt: null,
  ...changes,
});
const webhook: Webhook = {
  id: 'b'.repeat(24),
  url: 'https://example.com/hook',
  events: ['answer.judged'],
  owner: { userId: 'someone', email: 'coach@example.com' },
  createdAt: at,
  lastDelivery: { at, succeeded: false },
};
const tool = {
  loginUrl: 'https://prep.example.com/api/auth/lti/login',
  launchUrl: 'https://prep.example.com/api/auth/lti/launch',
  deepLinkUrl: 'https://prep.example.com/api/auth/lti/content',
  keysUrl: 'https://prep.example.com/api/auth/lti/keys',
};
beforeEach(() => {
  server.use(http.get('*/api/auth/lti/platforms', () => HttpResponse.json({ platforms: [], tool })));
});
const serve = ({ keys = [] as ApiKey[], webhooks = [] as Webhook[] } = {}) =>
  server.use(
    http.get('*/api/auth/api-keys', () => HttpResponse.json({ keys })),
    http.get('*/api/auth/webhooks', () => HttpResponse.json({ webhooks })),
  );

test('a key is created with its scopes, shown once, and revoked', async () => {
  const keys: ApiKey[] = [];
  const sent: unknown[] = [];
  server.use(
    http.get('*/api/auth/api-keys', () => HttpResponse.json({ keys })),
    http.get('*/api/auth/webhooks', () => HttpResponse.json({ webhooks: [] })),
    http.post('*/api/auth/api-keys', async ({ request }) => {
      sent.push(await request.json());
      keys.push(keyOf());
      return HttpResponse.json({ key: keyOf(), secret: 'ipp_the-whole-key' }, { status: 201 });
    }),
    http.delete('*/api/auth/api-keys/:id', ({ params }) => {
      sent.push(params.id);
      keys.pop();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  signInBefore('admin');
  renderApp('/integrations');
  await userEvent.click(await screen.findByRole('button', { name: 'New API key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New API key' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Create key' }));
  expect(await dialog.findByText('Name is required')).toBeVisible();
  expect(dialog.getByText('Please choose at least one scope')).toBeVisible();
  expect(sent).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Name'), 'Reports');
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Read results' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Create key' }));
  expect(await dialog.findByLabelText('API key')).toHaveValue('ipp_the-whole-key');
  expect(sent).toEqual([{ name: 'Reports', scopes: ['results:read'], days: 90 }]);
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }));
  const list = within(await screen.findByRole('list', { name: 'API keys' }));
  expect(list.getByText(/ipp_abcdef/)).toBeVisible();
  await userEvent.click(list.getByRole('button', { name: 'Revoke Reports' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke key' }));
  await waitFor(() => expect(sent.at(-1)).toBe('a'.repeat(24)));
  expect(await screen.findByText('No API keys')).toBeVisible();
  expect(document.body.textContent).not.toContain('ipp_the-whole-key');
});

test('an admin sees whose webhooks are others’, that a message failed, and sends it again', async () => {
  serve({ keys: [keyOf({ expiresAt: at })], webhooks: [webhook] });
  const delivery: WebhookDelivery = {
    id: 'c'.repeat(24),
    type: 'answer.judged',
    state: 'failed',
    createdAt: at,
    attempts: 10,
    lastAt: at,
    nextAt: null,
    outcome: '500',
    payload: '{"type":"answer.judged"}',
  };
  let again = 0;
  server.use(
    http.get('*/api/auth/webhooks/:id/deliveries', () => HttpResponse.json({ deliveries: [delivery] })),
    http.post('*/api/auth/webhooks/:id/deliveries/:deliveryId', () => {
      again += 1;
      return HttpResponse.json({ delivery }, { status: 202 });
    }),
  );
  signInBefore('admin');
  renderApp('/integrations');
  expect(await screen.findByText('Expired')).toBeVisible();
  const list = within(await screen.findByRole('list', { name: 'Webhooks' }));
  expect(list.getByText('Last message failed')).toBeVisible();
  expect(list.getByText(/coach@example.com/)).toBeVisible();
  await userEvent.click(list.getByRole('button', { name: 'Messages to https://example.com/hook' }));
  const messages = within(await screen.findByRole('dialog', { name: 'Recent messages' }));
  expect(await messages.findByText(/10 attempts · 500/)).toBeVisible();
  await userEvent.click(messages.getByRole('button', { name: 'Send again: answer.judged' }));
  await waitFor(() => expect(again).toBe(1));
});

test('a rejected URL shows the reason at its field', async () => {
  serve();
  const message = 'This address is in a private network';
  server.use(
    http.post('*/api/auth/webhooks', () =>
      HttpResponse.json({ message, code: 'bad_request', details: [{ path: 'url', message }] }, { status: 400 }),
    ),
  );
  signInBefore('admin');
  renderApp('/integrations');
  await userEvent.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await userEvent.type(dialog.getByLabelText('Address'), 'https://10.0.0.1/');
  await userEvent.click(dialog.getByRole('button', { name: 'Create webhook' }));
  expect(await dialog.findByText(message)).toBeVisible();
  expect(dialog.getByLabelText('Address')).toHaveAttribute('aria-invalid', 'true');
});

test('people who coach no group are told that this is for admins and coaches', async () => {
  server.use(http.get('*/api/groups', () => HttpResponse.json({ groups: [] })));
  signInBefore('others');
  renderApp('/integrations');
  expect(await screen.findByText('For admins and coaches')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'New API key' })).toBeNull();
});

test('an admin copies the tool’s URLs, adds a platform, edits it and deletes it', async () => {
  serve();
  const platform: LtiPlatform = {
    id: 'd'.repeat(24),
    name: 'Moodle',
    issuer: 'https://moodle.example.com',
    clientId: 'x1',
    authorizationUrl: 'https://moodle.example.com/auth',
    tokenUrl: 'https://moodle.example.com/token',
    keysUrl: 'https://moodle.example.com/keys',
    deploymentIds: ['1', '2'],
    createdAt: at,
    courseCount: 1,
  };
  const platforms: LtiPlatform[] = [];
  const sent: unknown[] = [];
  server.use(
    http.get('*/api/auth/lti/platforms', () => HttpResponse.json({ platforms, tool })),
    http.post('*/api/auth/lti/platforms', async ({ request }) => {
      sent.push(await request.json());
      platforms.push(platform);
      return HttpResponse.json({ platform }, { status: 201 });
    }),
    http.put('*/api/auth/lti/platforms/:id', async ({ request }) => {
      sent.push(await request.json());
      const message = 'Another platform with this ID has another public keyset URL';
      const details = [{ path: 'keysUrl', message }];
      return HttpResponse.json({ message, code: 'bad_request', details }, { status: 400 });
    }),
    http.delete('*/api/auth/lti/platforms/:id', () => {
      platforms.pop();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  signInBefore('admin');
  renderApp('/integrations');
  expect(await screen.findByText(tool.launchUrl)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy: Keyset URL' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Add platform' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a learning platform' }));
  for (const [label, value] of [
    ['Name', 'Moodle'],
    ['Platform ID', platform.issuer],
    ['Client ID', platform.clientId],
    ['Public keyset URL', platform.keysUrl],
    ['Access token URL', platform.tokenUrl],
    ['Authentication request URL', platform.authorizationUrl],
  ] as const)
    await userEvent.type(dialog.getByLabelText(label), value);
  await userEvent.click(dialog.getByRole('button', { name: 'Add platform' }));
  expect(await dialog.findByText('Please enter at least one deployment ID')).toBeVisible();
  await userEvent.type(dialog.getByLabelText('Deployment IDs'), ' 1 {Enter}{Enter}2');
  await userEvent.click(dialog.getByRole('button', { name: 'Add platform' }));
  const list = within(await screen.findByRole('list', { name: 'Learning platforms' }));
  const { id, createdAt, courseCount, ...registration } = platform;
  expect(sent).toEqual([registration]);

  await userEvent.click(list.getByRole('button', { name: 'Edit Moodle' }));
  const edit = within(await screen.findByRole('dialog', { name: 'Edit “Moodle”' }));
  expect(edit.getByLabelText('Client ID')).toBeDisabled();
  await userEvent.click(edit.getByRole('button', { name: 'Save' }));
  expect(await edit.findByText('Another platform with this ID has another public keyset URL')).toBeVisible();
  const { issuer, clientId, ...changes } = registration;
  expect(sent[1]).toEqual(changes);
  await userEvent.click(edit.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(list.getByRole('button', { name: 'Delete Moodle' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete platform' }));
  expect(await screen.findByText('No learning platforms')).toBeVisible();
});
