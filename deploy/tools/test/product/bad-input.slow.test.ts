import type { ErrorBody } from '@interview-prep/contracts/api/error-body';
import type { Route } from '@interview-prep/contracts/api/route';
import { allRoutes } from '@interview-prep/contracts/api/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type IdentityProviders, startIdentityProviders } from '../../fuzz/identity-providers.ts';
import { fuzzSettings, runFuzz } from '../../fuzz/run-fuzz.ts';
import { createWorld } from '../../fuzz/world.ts';
import { type Product, startProduct } from './running-product.ts';

/** Values that must not break any field of any body. */
const nasty: Record<string, unknown> = {
  blank: '',
  spaces: '   ',
  'ten thousand characters': 'x'.repeat(10_000),
  'a number': 42,
  'a boolean': true,
  null: null,
  'an empty list': [],
  'a list of lists': [[[]]],
  'a Mongo operator': { $ne: null },
  'a Mongo operator in a list': [{ $gt: '' }],
  'a prototype': JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {}}}'),
  script: '<script>alert(1)</script>',
  'right to left and emoji': '‮שלום 👩‍💻',
  'a zero byte': 'a\u0000b',
};

/** The names of the body's fields, from its schema. */
function fieldsOf(route: Route): string[] {
  const schema = z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>;
  };
  return Object.keys(schema.properties ?? {});
}

/** A valid body, into which tests put bad values. */
const good: Record<string, unknown> = {
  email: 'someone@example.com',
  password: 'long enough',
  accessToken: 'x',
  token: 'x',
  currentPassword: 'not the password',
  newPassword: 'long enough',
  plan: 'basic',
  technologies: ['javascript'],
  name: 'A technology',
  title: 'A title',
  technology: 'javascript',
  questions: ['What is a closure?'],
  answers: ['A function with its scope.'],
  expertAnswers: [''],
  tags: [],
};

const isBoolean = (value: unknown) => typeof value === 'boolean';
const isSeconds = (value: unknown) => typeof value === 'number' || value === null;

/** Fields that may hold other values than text or an empty list, with the allowed values. */
const otherThanText: Record<string, (value: unknown) => boolean> = {
  role: () => true,
  language: (value) => value === null,
  appealMail: isBoolean,
  reviewMail: isBoolean,
  assignmentMail: isBoolean,
  asksFollowUps: isBoolean,
  thinkingSeconds: isSeconds,
  timeLimitSeconds: isSeconds,
  lengthHintSeconds: isSeconds,
};

const id = '0123456789abcdef01234567';
/** Routes that require a body. Others are tested with generated ones below. */
const withBody = allRoutes.filter(([, route]) => route.accepts === 'json' && !route.body.safeParse({}).success);
const cases = withBody.flatMap(([name, route]) => fieldsOf(route).map((field) => [name, field, route] as const));
const numbered = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
  rows.map((row, index) => [...row, index] as const);

let product: Product;
let providers: IdentityProviders;
let admin: string;

beforeAll(async () => {
  providers = await startIdentityProviders();
  product = await startProduct({ SEED: 'demo', ...fuzzSettings, ...providers.settings });
  admin = (await product.signIn('admin@example.com')).token;
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await providers?.close();
});

/** Checks the response to bad input: a 4xx in the common format, without leaking internals. */
async function expectFault(response: Response): Promise<ErrorBody> {
  const text = await response.text();
  expect(response.status, text).toBeGreaterThanOrEqual(400);
  expect(response.status, text).not.toBe(500);
  expect(text).not.toMatch(/mongo|redis|bullmq|ECONN|at \w+ \(|127\.0\.0\.1|node_modules/i);
  return JSON.parse(text) as ErrorBody;
}

/** Sends text as JSON to a route, as an admin. */
function send({ method, path }: Route, body: string | undefined): Promise<Response> {
  return fetch(`${product.stack.url}${path.replace(/:\w+/g, id)}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
}

/** The bodies that the route's schema accepts, and one of the others, which are all rejected in the same place, before any handler. */
function worthSending<Bad extends { json: string }>(route: Route, bad: readonly Bad[], turn: number): Bad[] {
  const isTaken = ({ json }: Bad) => route.body.safeParse(JSON.parse(json)).success;
  const refused = bad.filter((each) => !isTaken(each));
  return [...bad.filter(isTaken), ...refused.slice(turn % refused.length).slice(0, 1)];
}

it.each(numbered(cases))(
  '%s with a bad %s is rejected in the error format, or stored as text',
  async (_name, field, route, turn) => {
    const bad = Object.entries(nasty).map(([kind, value]) => {
      const body = Object.fromEntries(fieldsOf(route).map((name) => [name, name === field ? value : good[name]]));
      return { kind, value, json: JSON.stringify(body) };
    });
    for (const { kind, value, json } of worthSending(route, bad, turn)) {
      const response = await send(route, json);
      if (response.ok) {
        // Free text may be any text; other fields only hold their own kind of values.
        const accepted =
          typeof value === 'string' ||
          (Array.isArray(value) && value.length === 0) ||
          (otherThanText[field]?.(value) ?? false);
        expect(accepted, `${kind}: ${await response.text()}`).toBe(true);
        continue;
      }
      const fault = await expectFault(response);
      expect(fault, kind).toMatchObject({
        message: expect.any(String),
        code: expect.any(String),
        requestId: expect.any(String),
      });
    }
  },
);

/** Bodies that are not JSON, or not an object. */
const malformed: readonly (string | undefined)[] = [
  undefined,
  '[]',
  '"text"',
  '{"title": ',
  JSON.stringify({ title: 'x'.repeat(3 * 1024 * 1024) }),
];

it.each(numbered(withBody))('%s rejects a list, text, and a malformed or huge body', async (_name, route, turn) => {
  expect([[], 'text'].map((body) => route.body.safeParse(body).success)).toEqual([false, false]);
  // JSON is parsed in one place for all routes of a service, so each route gets only one of them.
  const response = await send(route, malformed[turn % malformed.length]);
  await expectFault(response);
  expect([400, 401, 413]).toContain(response.status);
});

describe('requests generated from the OpenAPI document', () => {
  it('get only documented responses, and no caller sees data of others', async () => {
    const world = await createWorld(product.stack, providers.token);
    const results = await runFuzz(world, { cases: 300, seed: 1 });
    expect(results.flatMap(({ operation, failure }) => (failure ? [{ operation, ...failure }] : []))).toEqual([]);
    expect(results.map(({ operation }) => operation).sort()).toEqual(allRoutes.map(([name]) => name).sort());
    expect(results.reduce((sum, { cases }) => sum + cases, 0)).toBe(300);
  }, 120_000);
});

describe('displayed text', () => {
  it('is returned unchanged: pages escape it, and nothing is lost', async () => {
    const title = '<img src=x onerror=alert(1)> "quoted" שלום 👩‍💻';
    const body = { title, technology: 'javascript', questions: ['<b>What?</b>'], tags: ['</script>'] };
    const { interviewSet } = await product.ask<{
      interviewSet: { title: string; questions: string[]; tags: string[] };
    }>({ method: 'post', path: '/api/interviews/sets', body }, admin);
    expect(interviewSet).toMatchObject({ title, questions: ['<b>What?</b>'], tags: ['</script>'] });
  });

  it('is the same name in any case and spacing', async () => {
    await product.ask({ method: 'post', path: '/api/technologies', body: { name: 'Elixir' } }, admin);
    for (const name of ['elixir', ' ELIXIR ', 'Elixir  ', 'ｅlixir']) {
      const response = await product.call({ method: 'post', path: '/api/technologies', body: { name } }, admin);
      expect(response.status, name).toBe(409);
      expect(((await response.json()) as ErrorBody).message).toBe('Technology already exists');
    }
  });
});
