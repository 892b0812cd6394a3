import type { User } from '@interview-prep/contracts/auth/users';
import type {
  InterviewSet,
  NewInterviewSet,
  NewPracticeSet,
  PracticeSet,
  SetStatus,
} from '@interview-prep/contracts/catalog/sets';
import { slugOf, type Technology } from '@interview-prep/contracts/catalog/technologies';
import { HttpResponse, http } from 'msw';
import { server, setOf, userOf } from './fake-api.ts';

/** An admin's data during one test; `changes` are the non-GET requests. */
export interface FakeCatalog {
  technologies: Technology[];
  interviewSets: InterviewSet[];
  practiceSets: PracticeSet[];
  users: User[];
  changes: { method: string; path: string; body: unknown }[];
}

export function practiceSetOf(number: number, overrides: Partial<PracticeSet> = {}): PracticeSet {
  return {
    ...setOf(number),
    title: `Practice ${number}`,
    answers: ['A function.', 'Identity.'],
    ...overrides,
  };
}

let ids = 900;
function newId() {
  ids += 1;
  return String(ids).padStart(24, '0');
}

/** Omits null values of a request from the response. */
const withoutNulls = <Body extends object>(body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as {
    [Field in keyof Body]: Exclude<Body[Field], null>;
  };

export function serveCatalog(initial: Partial<Omit<FakeCatalog, 'changes'>> = {}): FakeCatalog {
  const catalog: FakeCatalog = {
    technologies: [
      { id: 't1', name: 'React', slug: 'react' },
      { id: 't2', name: 'Node.js', slug: 'node-js' },
    ],
    interviewSets: [],
    practiceSets: [],
    users: [userOf('admin'), { ...userOf('dev'), id: 'd'.repeat(24), technologies: ['react'] }],
    changes: [],
    ...initial,
  };

  const bodyOf = async (request: Request) => {
    const text = await request.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    catalog.changes.push({ method: request.method, path: new URL(request.url).pathname, body });
    return body;
  };
  const headOf = (id: string, { technology, status = 'published', ...body }: NewInterviewSet | NewPracticeSet) => ({
    ...setOf(1),
    status,
    ...withoutNulls(body),
    _id: id,
    id,
    technologySlug: technology,
    technology: catalog.technologies.find(({ slug }) => slug === technology)?.name ?? '',
  });
  const notFound = () => HttpResponse.json({ message: 'Not found', code: 'not_found' }, { status: 404 });
  const gone = () => new HttpResponse(null, { status: 204 });

  server.use(
    http.get('*/api/technologies', () => HttpResponse.json({ technologies: catalog.technologies })),
    http.post('*/api/technologies', async ({ request }) => {
      const { name } = (await bodyOf(request)) as { name: string };
      const technology = { id: newId(), name, slug: slugOf(name) };
      catalog.technologies = [...catalog.technologies, technology];
      return HttpResponse.json({ technology }, { status: 201 });
    }),
    http.put('*/api/technologies/:id', async ({ request, params }) => {
      const { name } = (await bodyOf(request)) as { name: string };
      catalog.technologies = catalog.technologies.map((each) => (each.id === params.id ? { ...each, name } : each));
      return HttpResponse.json({ technology: catalog.technologies.find(({ id }) => id === params.id) });
    }),
    http.delete('*/api/technologies/:id', async ({ request, params }) => {
      await bodyOf(request);
      catalog.technologies = catalog.technologies.filter(({ id }) => id !== params.id);
      return gone();
    }),
    http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: catalog.interviewSets })),
    http.get('*/api/interviews/sets/:id', ({ params }) => {
      const interviewSet = catalog.interviewSets.find(({ _id }) => _id === params.id);
      return interviewSet ? HttpResponse.json({ interviewSet }) : notFound();
    }),
    http.post('*/api/interviews/sets', async ({ request }) => {
      const interviewSet = headOf(newId(), (await bodyOf(request)) as NewInterviewSet);
      catalog.interviewSets = [interviewSet, ...catalog.interviewSets];
      return HttpResponse.json({ interviewSet }, { status: 201 });
    }),
    http.put('*/api/interviews/sets/:id', async ({ request, params }) => {
      const interviewSet = headOf(String(params.id), (await bodyOf(request)) as NewInterviewSet);
      catalog.interviewSets = catalog.interviewSets.map((each) => (each._id === params.id ? interviewSet : each));
      return HttpResponse.json({ interviewSet });
    }),
    http.put('*/api/interviews/sets/:id/status', async ({ request, params }) => {
      const { status } = (await bodyOf(request)) as { status: SetStatus };
      catalog.interviewSets = catalog.interviewSets.map((set) => (set._id === params.id ? { ...set, status } : set));
      return HttpResponse.json({ interviewSet: catalog.interviewSets.find(({ _id }) => _id === params.id) });
    }),
    http.delete('*/api/interviews/sets/:id', async ({ request, params }) => {
      await bodyOf(request);
      catalog.interviewSets = catalog.interviewSets.filter(({ _id }) => _id !== params.id);
      return gone();
    }),
    http.get('*/api/practice', () => HttpResponse.json({ practiceSets: catalog.practiceSets })),
    http.get('*/api/practice/:id', ({ params }) => {
      const practiceSet = catalog.practiceSets.find(({ _id }) => _id === params.id);
      return practiceSet ? HttpResponse.json({ practiceSet }) : notFound();
    }),
    http.post('*/api/practice', async ({ request }) => {
      const practiceSet = headOf(newId(), (await bodyOf(request)) as NewPracticeSet) as PracticeSet;
      catalog.practiceSets = [practiceSet, ...catalog.practiceSets];
      return HttpResponse.json({ practiceSet }, { status: 201 });
    }),
    http.put('*/api/practice/:id', async ({ request, params }) => {
      const practiceSet = headOf(String(params.id), (await bodyOf(request)) as NewPracticeSet) as PracticeSet;
      catalog.practiceSets = catalog.practiceSets.map((each) => (each._id === params.id ? practiceSet : each));
      return HttpResponse.json({ practiceSet });
    }),
    http.put('*/api/practice/:id/status', async ({ request, params }) => {
      const { status } = (await bodyOf(request)) as { status: SetStatus };
      catalog.practiceSets = catalog.practiceSets.map((set) => (set._id === params.id ? { ...set, status } : set));
      return HttpResponse.json({ practiceSet: catalog.practiceSets.find(({ _id }) => _id === params.id) });
    }),
    http.delete('*/api/practices/sets/:id', async ({ request, params }) => {
      await bodyOf(request);
      catalog.practiceSets = catalog.practiceSets.filter(({ _id }) => _id !== params.id);
      return gone();
    }),
    http.get('*/api/users', () =>
      HttpResponse.json({
        users: catalog.users.map((user) => ({ lastSeen: user.lastLogin, ...user })),
        nextCursor: null,
      }),
    ),
    http.post('*/api/users', async ({ request }) => {
      const body = (await bodyOf(request)) as Pick<User, 'email' | 'name' | 'role' | 'technologies'>;
      const user = { ...userOf(body.role), ...body, id: newId(), lastLogin: null };
      catalog.users = [...catalog.users, user];
      return HttpResponse.json({ user }, { status: 201 });
    }),
    http.post('*/api/users/import', async ({ request }) => {
      const { people } = (await bodyOf(request)) as { people: Pick<User, 'email' | 'name' | 'role'>[] };
      const users = people.map(({ email, name, role }) => {
        const before = catalog.users.find((user) => user.email === email);
        const user = before ?? { ...userOf(role), email, ...(name ? { name } : {}), id: newId(), lastLogin: null };
        if (!before) catalog.users = [...catalog.users, user];
        return { id: user.id, email, isNew: !before };
      });
      return HttpResponse.json({ users });
    }),
    http.put('*/api/users/:id', async ({ request, params }) => {
      const { technologies } = (await bodyOf(request)) as { technologies: string[] };
      catalog.users = catalog.users.map((each) => (each.id === params.id ? { ...each, technologies } : each));
      return HttpResponse.json({ user: catalog.users.find(({ id }) => id === params.id) });
    }),
    http.delete('*/api/users/:id', async ({ request, params }) => {
      await bodyOf(request);
      catalog.users = catalog.users.filter(({ id }) => id !== params.id);
      return gone();
    }),
  );
  return catalog;
}

const refusedEdit = {
  message: 'anna@example.com has changed this in the meantime',
  code: 'edit_conflict',
  conflict: { by: 'anna@example.com', at: '2026-11-24T10:00:00.000Z', version: 'v2' },
};

/**
 * Rejects edits whose If-Match is not "v2", as after another user's edit of `field`. Call it after `serveCatalog`.
 * @param always whether to reject the next edit regardless of its version
 * @returns the If-Match of each request
 */
export function refuseEdits(path: string, field: string, { always = false } = {}): (string | null)[] {
  const sent: (string | null)[] = [];
  const details = [{ path: field, message: 'Changed in the meantime' }];
  server.use(
    http.put(
      path,
      ({ request }) => {
        sent.push(request.headers.get('If-Match'));
        if (always || sent.at(-1) !== '"v2"') return HttpResponse.json({ ...refusedEdit, details }, { status: 409 });
      },
      { once: always },
    ),
  );
  return sent;
}
