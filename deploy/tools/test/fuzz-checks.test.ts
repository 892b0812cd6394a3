import { describe, expect, test } from 'vitest';
import { type ApiDocument, operationsOf } from '../fuzz/api-document.ts';
import { problemOf, type SentCase } from '../fuzz/check-response.ts';
import type { FuzzResponse } from '../fuzz/request.ts';
import { noBelongings } from '../fuzz/take-sessions.ts';
import type { World } from '../fuzz/world.ts';

const thing = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const content = { 'application/json': { schema: thing } };
const document: ApiDocument = {
  security: [{ bearer: [] }],
  components: {},
  paths: {
    '/api/things/{id}': {
      get: { operationId: 'getThing', responses: { 200: { content }, 204: {}, 400: { content } } },
      delete: { operationId: 'deleteThing', security: [{ bearer: ['admin'] }], responses: { 204: {} } },
    },
  },
};
const [getThing, deleteThing] = operationsOf(document);
const account = (id: string) => ({ id, email: `${id}@example.com`, password: 'x', token: `token-of-${id}` });
const world: Pick<World, 'accounts' | 'belongings' | 'secrets'> = {
  accounts: {
    admin: account('admin-id'),
    developer: account('developer-id'),
    candidate: account('candidate-id'),
    victim: account('victim-id'),
  },
  belongings: {
    admin: noBelongings(),
    developer: noBelongings(),
    candidate: noBelongings(),
    victim: { ...noBelongings(), interviewIds: ['entry-1'] },
  },
  secrets: new Map([['a secret answer', ['admin']]]),
};

/** The problem with a response, by default to a valid GET by a candidate. */
function problem(
  response: Partial<FuzzResponse>,
  sent: Partial<SentCase> = {},
  target = '/api/things/1',
): string | null {
  const request = { method: 'GET', target, headers: {}, body: { kind: 'none' } } as const;
  const good = {
    status: 200,
    text: '{"name":"x"}',
    tookMs: 1,
    ...response,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': '12345678', ...response.headers },
  };
  if (!getThing) throw new Error('There is no operation');
  return problemOf(
    { operation: getThing, caller: 'candidate', fault: 'nothing', request, ...sent },
    good,
    world as World,
  );
}

test('accepts documented responses, including documented refusals', () => {
  expect(problem({})).toBeNull();
  expect(problem({ status: 204, text: '' })).toBeNull();
  expect(problem({ status: 400 }, { fault: 'body' })).toBeNull();
});

describe('the fuzzer reports', () => {
  const html = { 'content-type': 'text/html' };
  const isDeleting = { operation: deleteThing as SentCase['operation'] };
  test.each<[string, string | null, RegExp]>([
    ['an error of the server', problem({ status: 500, text: 'oops' }), /^500: oops/],
    ['a status that is not documented', problem({ status: 202 }), /status 202 is not documented/],
    ['a content type that is not documented', problem({ headers: html }), /content type text\/html/],
    ['a body that does not match', problem({ text: '{"name":1}' }), /does not match its schema: \/name/],
    ['a body where there is none', problem({ status: 204 }), /204 has a body/],
    ['an invalid body that is taken', problem({}, { fault: 'body' }), /bad body was taken/],
    ['a wrong method that is taken', problem({}, { fault: 'method' }), /not 405/],
    ['a visitor who gets in', problem({}, { caller: 'visitor' }), /visitor was let in/],
    ['what only admins may do', problem({ status: 204, text: '' }, isDeleting), /only admins/],
    ["somebody's secret", problem({ text: '{"name":"a secret answer"}' }), /has a secret answer/],
    ["somebody else's object", problem({}, {}, '/api/things/entry-1'), /entry-1, which is somebody else's/],
    ['an answer that is late', problem({ tookMs: 10_001 }), /took 10 s/],
    ['a malformed request id', problem({ headers: { 'x-request-id': '<' } }), /request id < is malformed/],
    ['what is behind the API', problem({ status: 400, text: '{"name":"MongoError"}' }), /behind the API/],
  ])('%s', (_what, found, expected) => {
    expect(found).toMatch(expected);
  });
});
