import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, setOf, signInBefore } from '../../../test/fake-api.ts';
import { refuseEdits, serveCatalog } from '../../../test/fake-catalog.ts';
import { pasteInto } from '../../../test/paste-into.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

async function open() {
  signInBefore('admin');
  const app = renderApp('/technologies');
  await screen.findByRole('textbox', { name: 'Technology name' });
  return app;
}
const addField = () => screen.getByRole('textbox', { name: 'Technology name' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });

test('an empty installation leads from the first technology to the first set', async () => {
  serveCatalog({ technologies: [] });
  await open();
  expect(screen.getByText('No technologies added yet')).toBeVisible();
  await userEvent.type(addField(), ' Vue {Enter}');
  expect(await screen.findByText('Technology added successfully')).toBeVisible();
  expect(addField()).toHaveValue('');
  expect(addField()).toHaveFocus();
  await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: 'Add Interview Set' }));
  expect(await screen.findByRole('option', { name: 'Vue' })).toBeVisible();
});

test('adding: a blank name is ignored, a duplicate is rejected, and neither is sent', async () => {
  const catalog = serveCatalog();
  await open();
  await userEvent.type(addField(), '   {Enter}');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.clear(addField());
  await pasteInto(addField(), ' react ');
  await userEvent.click(button('Add'));
  expect(screen.getByText('Technology already exists')).toBeVisible();
  expect(addField()).toBeInvalid();
  expect(catalog.changes).toEqual([]);
});

test('editing: one at a time; empty and duplicate names are rejected; confirming saves', async () => {
  const catalog = serveCatalog();
  await open();
  await userEvent.click(button('Edit React'));
  const field = screen.getByRole('textbox', { name: 'New name for React' });
  expect(field).toHaveFocus();
  expect(button('Edit Node.js')).toBeDisabled();
  await userEvent.clear(field);
  await userEvent.click(button('Confirm'));
  expect(screen.getByText('Technology name cannot be empty')).toBeVisible();
  await pasteInto(field, 'NODE.JS');
  await userEvent.click(button('Confirm'));
  expect(screen.getByText('Technology already exists')).toBeVisible();
  expect(catalog.changes).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, 'React 19{Enter}');
  expect(await screen.findByText('Technology updated successfully')).toBeVisible();
  expect(screen.getByText('React 19')).toBeVisible();
  expect(button('Edit React 19')).toHaveFocus();
  expect(catalog.changes).toEqual([{ method: 'PUT', path: '/api/technologies/t1', body: { name: 'React 19' } }]);
});

test('on a conflicting rename, the later admin chooses: their name, or mine over theirs', async () => {
  const catalog = serveCatalog({ technologies: [{ id: 't1', name: 'React', slug: 'react', version: 'v1' }] });
  const sent = refuseEdits('*/api/technologies/:id', 'name');
  await open();
  const rename = async (name: string) => {
    const field = screen.getByRole('textbox', { name: /^New name for/ });
    await userEvent.clear(field);
    await userEvent.type(field, `${name}{Enter}`);
  };
  await userEvent.click(button('Edit React'));
  await rename('Mine');
  catalog.technologies = [{ id: 't1', name: 'Theirs', slug: 'react', version: 'v1' }];
  await userEvent.click(await screen.findByRole('button', { name: 'Show theirs' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Theirs' }));
  await rename('Mine');
  await userEvent.click(await screen.findByRole('button', { name: 'Keep mine' }));
  expect(await screen.findByText('Technology updated successfully')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Edit Mine' })).toBeVisible();
  expect(sent).toEqual(['"v1"', '"v1"', '"v2"']);
});

test('canceling leaves the name unchanged', async () => {
  const catalog = serveCatalog();
  await open();
  await userEvent.click(button('Edit React'));
  await userEvent.type(screen.getByRole('textbox', { name: 'New name for React' }), ' 19');
  await userEvent.click(button('Cancel'));
  expect(button('Edit React')).toHaveFocus();
  const search = screen.getByRole('searchbox');
  await userEvent.type(search, 'node');
  expect(screen.queryByRole('button', { name: 'Edit React' })).toBeNull();
  await userEvent.clear(search);
  expect(button('Edit React')).toBeVisible();
  expect(search).toHaveFocus();
  expect(button('Edit Node.js')).toBeEnabled();
  expect(catalog.changes).toEqual([]);
});

test('deleting asks first, and says what happens to the sets', async () => {
  const catalog = serveCatalog({ interviewSets: [setOf(1), setOf(2)] });
  await open();
  await userEvent.click(button('Delete React'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^2 interview sets use it\./)).toBeVisible();
  expect(catalog.changes).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete “React”' }));
  expect(await screen.findByText('Technology deleted successfully')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit React' })).toBeNull());
});

test('until it is known which sets use a technology, the delete dialog says so and waits', async () => {
  const catalog = serveCatalog({ interviewSets: [setOf(1)] });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    http.get('*/api/interviews/sets', () => new HttpResponse(null, { status: 502 }), { once: true }),
    http.get(
      '*/api/practice',
      async () => {
        await promise;
        return new HttpResponse(null, { status: 502 });
      },
      { once: true },
    ),
  );
  await open();
  expect(await screen.findByText('Failed to fetch interview sets')).toBeVisible();
  await userEvent.click(button('Delete React'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('We could not check which sets use it.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByText('Checking which sets use it…')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Delete “React”' })).toBeDisabled();
  resolve();
  expect(await dialog.findByText('Failed to fetch practice sets')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Delete “React”' })).toBeDisabled();
  expect(dialog.queryByText(/No set uses it/)).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByText(/^1 interview set uses it\./)).toBeVisible();
  expect(catalog.changes).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete “React”' }));
  expect(await screen.findByText('Technology deleted successfully')).toBeVisible();
});

test('during a request every control is disabled, and a second click does nothing', async () => {
  const catalog = serveCatalog();
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  server.use(
    http.post('*/api/technologies', async () => {
      asked += 1;
      await promise;
      return HttpResponse.json({ technology: { id: 't9', name: 'Vue', slug: 'vue' } }, { status: 201 });
    }),
  );
  await open();
  await userEvent.type(addField(), 'Vue');
  await userEvent.dblClick(button('Add'));
  await waitFor(() => expect(addField()).toBeDisabled());
  for (const control of [
    ...within(screen.getByRole('main')).getAllByRole('button'),
    ...screen.getAllByRole('searchbox'),
  ]) {
    expect(control).toBeDisabled();
  }
  catalog.technologies = [...catalog.technologies, { id: 't9', name: 'Vue', slug: 'vue' }];
  resolve();
  expect(await screen.findByText('Vue')).toBeVisible();
  expect(addField()).toBeEnabled();
  expect(asked).toBe(1);
});

test.each([
  ['Failed to create technology', null],
  ['The catalog is down', { message: 'The catalog is down', code: 'unavailable' }],
])('an error shows %j and keeps what was typed', async (message, body) => {
  serveCatalog();
  server.use(http.post('*/api/technologies', () => HttpResponse.json(body, { status: 503 })));
  await open();
  await userEvent.type(addField(), 'Vue{Enter}');
  expect(await screen.findByText(message)).toBeVisible();
  expect(addField()).toHaveValue('Vue');
});

test('a failed update and a failed deletion show their messages', async () => {
  serveCatalog();
  server.use(
    http.put('*/api/technologies/:id', () => new HttpResponse(null, { status: 500 })),
    http.delete('*/api/technologies/:id', () => new HttpResponse(null, { status: 500 })),
  );
  await open();
  await userEvent.click(button('Edit React'));
  await userEvent.type(screen.getByRole('textbox', { name: 'New name for React' }), ' 19{Enter}');
  expect(await screen.findByText('Failed to update technology')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'New name for React' })).toHaveValue('React 19');
  await userEvent.click(button('Delete Node.js'));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete “Node.js”' }));
  expect(await screen.findByText('Failed to delete technology')).toBeVisible();
});

test('a failed load shows the reason and can be retried', async () => {
  serveCatalog();
  server.use(http.get('*/api/technologies', () => new HttpResponse(null, { status: 502 }), { once: true }));
  signInBefore('admin');
  renderApp('/technologies');
  expect(await screen.findByText('Failed to fetch technologies')).toBeVisible();
  await userEvent.click(button('Try again'));
  expect(await screen.findByText('React')).toBeVisible();
});

test('a long list can be searched and paged, with counts; the page is in the URL', async () => {
  const technologies = Array.from({ length: 45 }, (_, index) => ({
    id: `t${index}`,
    name: `Tool ${index + 1}`,
    slug: `tool-${index + 1}`,
  }));
  serveCatalog({ technologies });
  await open();
  expect(screen.getByText('45 technologies')).toBeVisible();
  expect(screen.getAllByRole('button', { name: /^Edit/ })).toHaveLength(20);
  await userEvent.click(button('Page 3'));
  expect(screen.getAllByRole('button', { name: /^Edit/ })).toHaveLength(5);
  expect(window.location.hash).toBe('#page=3');
  await pasteInto(screen.getByRole('searchbox'), 'TOOL 4');
  expect(screen.getByText('7 of 45 technologies')).toBeVisible();
  expect(screen.getAllByRole('button', { name: /^Edit/ })).toHaveLength(7);
  await userEvent.type(screen.getByRole('searchbox'), 'x');
  await userEvent.click(
    within(screen.getByRole('main')).getAllByRole('button', { name: 'Clear search' })[0] as HTMLElement,
  );
  expect(screen.getByText('45 technologies')).toBeVisible();
});

test('leaving with a typed name asks first', async () => {
  serveCatalog();
  const { router } = await open();
  await userEvent.type(addField(), 'Vu');
  await router.navigate('/');
  expect(await screen.findByText('Leave without saving?')).toBeVisible();
  await userEvent.click(button('Stay'));
  expect(addField()).toHaveValue('Vu');
  expect(window.location.pathname).toBe('/technologies');
});

test('the home screen leads an admin to the first technology, then to the first set; others see only a message', async () => {
  const catalog = serveCatalog({ technologies: [] });
  signInBefore('admin');
  const first = renderApp('/');
  expect(await screen.findByRole('link', { name: 'Add a technology' })).toHaveAttribute('href', '/technologies');
  first.unmount();
  catalog.technologies = [{ id: 't1', name: 'Vue', slug: 'vue' }];
  const second = renderApp('/');
  const main = await screen.findByRole('main');
  expect(await within(main).findByRole('link', { name: 'Add Interview Set' })).toHaveAttribute('href', '/new');
  second.unmount();
  signInBefore('others');
  renderApp('/');
  expect(await screen.findByText('No interview sets found for this category.')).toBeVisible();
  expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull();
});
