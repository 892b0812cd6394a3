import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, settings, signInBefore } from '../test/fake-api.ts';
import { renderApp } from '../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const cardOf = async () => (await screen.findByRole('heading', { name: 'Set 1' })).closest('li') as HTMLElement;

test("a set's icon comes from the avatar service by its title; if that is unreachable, the icon is drawn", async () => {
  const avatarUrl = 'https://avatars.example.com/shapes.svg?seed={seed}';
  server.use(http.get('*/api/settings', () => HttpResponse.json({ ...settings, avatarUrl })));
  signInBefore('others');
  renderApp('/');
  const card = await cardOf();
  await waitFor(() => expect(card.querySelector('img')).not.toBeNull());
  const image = card.querySelector('img') as HTMLImageElement;
  expect(image).toHaveAttribute('src', 'https://avatars.example.com/shapes.svg?seed=Set%201');
  expect(card.querySelector('svg line')).toBeNull();
  fireEvent.error(image);
  expect(card.querySelector('img')).toBeNull();
  expect(card.querySelectorAll('svg line')).not.toHaveLength(0);
});

test('without an avatar service the icon is drawn, and no request is sent', async () => {
  signInBefore('others');
  renderApp('/');
  const card = await cardOf();
  expect(card.querySelector('img')).toBeNull();
  expect(card.querySelectorAll('svg line')).not.toHaveLength(0);
});
