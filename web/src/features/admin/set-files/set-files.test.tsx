import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { server, setOf, signInBefore } from '../../../test/fake-api.ts';
import { practiceSetOf, refuseEdits, serveCatalog } from '../../../test/fake-catalog.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const csv = (...rows: string[]) =>
  new File([['title,technology,tags,question,expert answer', ...rows].join('\n')], 'sets.csv', { type: 'text/csv' });
async function choose(file: File) {
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, file);
}

async function openImport(address = '/new') {
  signInBefore('admin');
  const app = renderApp(address);
  await userEvent.click(await screen.findByRole('button', { name: 'Import' }));
  await screen.findByRole('button', { name: 'Choose a file' });
  return app;
}

test('errors in a file are listed by row and nothing is saved; the corrected file is imported', async () => {
  const catalog = serveCatalog();
  await openImport();
  await choose(csv('Hooks,react,,What is a hook?,', 'Keys,cobol,,Why keys?,', 'State,React,,,'));
  const errors = await screen.findByRole('list', { name: 'Errors in the file' });
  expect(
    within(errors)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Row 3Unknown technology “cobol”. Add it first.', 'Row 4A question cannot be blank']);
  expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull();
  expect(catalog.changes).toEqual([]);

  await choose(csv('Hooks,react,"a, b",What is a hook?,A function.', 'Keys,React,,Why keys?,'));
  expect(await screen.findByText(/2 interview sets with 2 questions can be imported/)).toBeVisible();
  expect(catalog.changes).toEqual([]);
  await userEvent.dblClick(button('Import 2 interview sets'));
  expect(await screen.findByText('2 of 2 interview sets saved')).toBeVisible();
  expect(catalog.interviewSets.map(({ title }) => title)).toEqual(['Hooks', 'Keys']);
  expect(catalog.changes.map(({ body }) => body)).toEqual([
    { title: 'Keys', technology: 'react', tags: [], questions: ['Why keys?'], expertAnswers: [''] },
    {
      title: 'Hooks',
      technology: 'react',
      tags: ['a', 'b'],
      questions: ['What is a hook?'],
      expertAnswers: ['A function.'],
    },
  ]);
});

test('a failed set is named, and only that one is retried', async () => {
  const catalog = serveCatalog();
  server.use(
    http.post(
      '*/api/interviews/sets',
      () => HttpResponse.json({ message: 'Too many requests', code: 'x' }, { status: 429 }),
      {
        once: true,
      },
    ),
  );
  const { router } = await openImport();
  await choose(csv('Hooks,react,,What is a hook?,', 'Keys,react,,Why keys?,'));
  await userEvent.click(await screen.findByRole('button', { name: 'Import 2 interview sets' }));
  expect(await screen.findByText('1 of 2 interview sets saved, 1 failed')).toBeVisible();
  expect(screen.getByText('Too many requests')).toBeVisible();
  // Leaving would lose the rest.
  await router.navigate('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  await userEvent.click(button('Try 1 interview set again'));
  expect(await screen.findByText('2 of 2 interview sets saved')).toBeVisible();
  expect(catalog.changes.map(({ body }) => (body as { title: string }).title)).toEqual(['Hooks', 'Keys']);
});

test('a set whose response was lost is not created twice', async () => {
  const catalog = serveCatalog();
  const lost = setOf(7, { title: 'Keys', technology: 'React', technologySlug: 'react', questions: ['Why keys?'] });
  server.use(
    http.post(
      '*/api/interviews/sets',
      () => {
        catalog.interviewSets = [lost];
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  await openImport();
  // The file contains the set twice, so both are created.
  const keys = { title: 'Keys', technology: 'React', questions: [{ question: 'Why keys?' }] };
  const hooks = { title: 'Hooks', technology: 'React', questions: [{ question: 'What is a hook?' }] };
  await choose(new File([JSON.stringify([keys, hooks, keys])], 'sets.json', { type: 'application/json' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Import 3 interview sets' }));
  expect(await screen.findByText('2 of 3 interview sets saved, 1 failed')).toBeVisible();
  await userEvent.click(button('Try 1 interview set again'));
  expect(await screen.findByText('3 of 3 interview sets saved')).toBeVisible();
  expect(catalog.interviewSets.map(({ title }) => title).toSorted()).toEqual(['Hooks', 'Keys', 'Keys']);
});

test('practice sets are imported from JSON; existing ones are skipped', async () => {
  const catalog = serveCatalog({ practiceSets: [practiceSetOf(1)] });
  await openImport('/admin/practice');
  const file = (titles: string[]) => {
    const sets = titles.map((title) => ({
      title,
      technology: 'React',
      questions: [{ question: 'Why?', answer: 'So.' }],
    }));
    return new File([JSON.stringify(sets)], 'sets.json', { type: 'application/json' });
  };
  await choose(file(['practice 1']));
  expect(await screen.findByText('1 practice set already exists')).toBeVisible();
  expect(screen.getByText('Will be skipped')).toBeVisible();
  expect(button('Nothing to import')).toBeDisabled();
  await choose(file(['practice 1', 'Another']));
  await userEvent.click(await screen.findByRole('button', { name: 'Import 1 practice set' }));
  expect(await screen.findByText('1 of 1 practice set saved, 1 skipped')).toBeVisible();
  expect(catalog.changes).toMatchObject([
    { method: 'POST', path: '/api/practice', body: { title: 'Another', questions: ['Why?'], answers: ['So.'] } },
  ]);
  await userEvent.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  expect(await screen.findByText('2 practice sets')).toBeVisible();
});

test('an existing set is replaced if the admin chooses so; a failed one is retried', async () => {
  const saved = setOf(1, { title: 'Hooks', expertAnswers: ['A function.', ''] });
  const catalog = serveCatalog({ interviewSets: [saved] });
  server.use(
    http.put(
      '*/api/interviews/sets/:id',
      () => HttpResponse.json({ message: 'Too many requests', code: 'x' }, { status: 429 }),
      { once: true },
    ),
  );
  await openImport();
  await choose(csv(`hooks,react,new,${saved.questions[0]},`, 'hooks,react,new,Why?,So.', 'Keys,react,,Why keys?,'));
  await userEvent.click(await screen.findByRole('radio', { name: 'Replace it' }));
  expect(screen.getByText('Will be replaced')).toBeVisible();
  await userEvent.click(button('Import 2 interview sets'));
  expect(await screen.findByText('1 of 2 interview sets saved, 1 failed')).toBeVisible();
  await userEvent.click(button('Try 1 interview set again'));
  expect(await screen.findByText('2 of 2 interview sets saved')).toBeVisible();
  expect(screen.getByText('Replaced')).toBeVisible();
  expect(catalog.interviewSets).toHaveLength(2);
  expect(catalog.changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/interviews/sets',
    `PUT /api/interviews/sets/${saved._id}`,
  ]);
  expect(catalog.changes[1]?.body).toEqual({
    title: 'hooks',
    technology: 'react',
    tags: ['new'],
    questions: [saved.questions[0], 'Why?'],
    expertAnswers: ['A function.', 'So.'],
  });
});

test('a set changed by someone else after the comparison is replaced only when the admin retries', async () => {
  const saved = setOf(1, { title: 'Hooks', version: 'v1' });
  const catalog = serveCatalog({ interviewSets: [saved] });
  const sent = refuseEdits('*/api/interviews/sets/:id', 'tags', { always: true });
  await openImport();
  await choose(csv(`Hooks,react,new,${saved.questions[0]},`));
  await userEvent.click(await screen.findByRole('radio', { name: 'Replace it' }));
  await userEvent.click(button('Import 1 interview set'));
  expect(await screen.findByText(/meantime.*\. Try again to replace it anyway\.$/)).toBeVisible();
  expect(sent).toEqual(['"v1"']);
  expect(catalog.changes).toEqual([]);
  await userEvent.click(button('Try 1 interview set again'));
  expect(await screen.findByText('1 of 1 interview set saved')).toBeVisible();
  expect(catalog.changes).toHaveLength(1);
});

test.each([
  [
    'CSV, for spreadsheets',
    'csv',
    /^\uFEFFset,title,technology,tags,vocabulary,language,status,follow-ups,thinkingSeconds,timeLimitSeconds,lengthHintSeconds,question,expert answer,points\r\n1,Set 1,react,"a,b,c,d,e","useRef,fiber",de,published,no,,180,,What is a hook\?,'=1\+1,\r\n/,
  ],
  ['JSON', 'json', /"fiber"\s*\],\s*"language": "de",[\s\S]*"timeLimitSeconds": 180,[\s\S]*"expertAnswer": "=1\+1"/],
])('exports %s', async (label, extension, content) => {
  const set = setOf(1, {
    vocabulary: ['useRef', 'fiber'],
    language: 'de',
    timeLimitSeconds: 180,
    expertAnswers: ['=1+1', ''],
  });
  serveCatalog({ interviewSets: [set] });
  signInBefore('admin');
  const saved: { name: string; blob: Blob }[] = [];
  const urls = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    urls.set('blob:1', blob as Blob);
    return 'blob:1';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: urls.get(this.href) as Blob });
  });
  renderApp('/new');
  await waitFor(() => expect(button('Export')).toBeEnabled());
  await userEvent.click(button('Export'));
  await userEvent.click(await screen.findByRole('menuitem', { name: label }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toMatch(new RegExp(`^interview-sets-\\d{4}-\\d\\d-\\d\\d\\.${extension}$`));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await saved[0]?.blob.arrayBuffer());
  expect(text).toMatch(content);
});

test('a failed export shows a message', async () => {
  serveCatalog({ interviewSets: [setOf(1)] });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    throw new Error('no room');
  });
  signInBefore('admin');
  renderApp('/new');
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'JSON' }));
  expect(await screen.findByText(/^The sets could not be exported/)).toBeVisible();
});
