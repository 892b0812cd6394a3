import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { healthy, server, signInBefore } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const noWorker = /^No worker is running\./;

function answerHealth(changes: object) {
  const services = { ...healthy.services, ...changes };
  const asked: Request[] = [];
  server.use(
    http.get('*/api/health', ({ request }) => {
      asked.push(request);
      return HttpResponse.json({ ...healthy, status: 'degraded', services });
    }),
  );
  return asked;
}

test('admins see on every page that no worker is running, and which service is down', async () => {
  answerHealth({ worker: 'down', history: 'down' });
  signInBefore('admin');
  renderApp('/nowhere');
  expect(await screen.findByText(noWorker)).toBeVisible();
  expect(screen.getByText('Not working: history.')).toBeVisible();
});

test('while everything works, admins see only the version', async () => {
  signInBefore('admin');
  renderApp('/nowhere');
  expect(await screen.findByText('Version 1.2.3')).toBeVisible();
  expect(screen.queryByText(noWorker)).toBeNull();
});

test('other users neither request nor see it', async () => {
  const asked = answerHealth({ worker: 'down' });
  signInBefore('others');
  renderApp('/nowhere');
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(screen.queryByText(noWorker)).toBeNull();
  expect(asked).toEqual([]);
});
