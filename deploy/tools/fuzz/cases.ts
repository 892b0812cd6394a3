import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Parameter } from './api-document.ts';
import { formParts, invalidForms } from './forms.ts';
import { invalidTexts, invalidValues } from './invalid-values.ts';
import { knownValues } from './known-values.ts';
import type { FuzzRequest } from './request.ts';
import { type KnownValues, validValues } from './valid-values.ts';
import { type Caller, callers, type World } from './world.ts';

type Sent = Pick<FuzzRequest, 'headers' | 'body'>;

const sent = (text: string, headers: Record<string, string>): Sent => ({ headers, body: { kind: 'text', text } });
const asJson = (text: string) => sent(text, { 'content-type': 'application/json' });

/** Invalid only if a field is required. */
const emptyJson: readonly Sent[] = [
  ...['', '{}', '{"__proto__":{}}'].map(asJson),
  { headers: { 'content-type': 'application/json' }, body: { kind: 'none' } },
];

const brokenJson: readonly Sent[] = [
  ...['null', '"text"', '42', 'true', '[]', '{"title": ', '{}{}', '\u0000', '{"a":1,}'].map(asJson),
  asJson('['.repeat(20_000)),
  asJson(`{"title":"${'x'.repeat(4_200_000)}`),
  sent('{}', { 'content-type': 'text/plain' }),
  sent('<a/>', { 'content-type': 'application/xml' }),
  sent('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
  sent('{}', { 'content-type': 'application/json; charset=utf-99' }),
  sent('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
  sent('{}', { 'content-type': 'application/json', 'content-encoding': 'unknown' }),
  sent('{}', { 'content-type': ';' }),
  sent('{}', {}),
];

const boundary = { 'content-type': 'multipart/form-data; boundary=b' };
const part = '--b\r\nContent-Disposition: form-data; name="sessionId"\r\n\r\nx';

const brokenForms: readonly Sent[] = [
  sent('', boundary),
  sent('--b--\r\n', boundary),
  sent(part, boundary),
  sent('--b\r\n', boundary),
  sent('--b\r\nContent-Disposition: nonsense\r\n\r\nx\r\n--b--\r\n', boundary),
  sent(`${part}\r\n${part}\r\n--b--\r\n`, boundary),
  sent(`${part}\r\n--b--\r\n`, { 'content-type': 'multipart/form-data' }),
  sent(`${part}\r\n--b--\r\n`, { 'content-type': 'multipart/form-data; boundary=' }),
  sent('--b\r\nContent-Disposition: form-data; name="audio"; filename="x"\r\n\r\nx', boundary),
  sent('{}', { 'content-type': 'application/json' }),
  sent('{}', {}),
  { headers: boundary, body: { kind: 'none' } },
];

/** Bodies that are rejected before schema validation: malformed, of a wrong type, or far too large. */
function brokenEncodings(body: Operation['body']): Arbitrary<Sent> {
  if (body?.mediaType === 'multipart/form-data') return fc.constantFrom(...brokenForms);
  return fc.constantFrom(...brokenJson, ...(body?.matches({}) ? [] : emptyJson));
}

/** The part of a request that violates the document, or `nothing`. */
export type Fault = 'nothing' | 'path' | 'query' | 'body' | 'encoding' | 'method' | 'token';

/** One generated request. Its placeholders and the caller's token are filled in when it is sent. */
export interface FuzzCase {
  caller: Caller;
  fault: Fault;
  request: FuzzRequest;
}

type Entries = readonly (readonly [name: string, value: string])[];

function isParameterValue({ schema }: Parameter, text: string): boolean {
  if (schema.type === 'integer') {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    return /^-?\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
  }
  const length = [...text].length;
  if (schema.enum && !schema.enum.includes(text)) return false;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(text)) return false;
  return length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? length);
}

function validParameters(parameters: readonly Parameter[], known: KnownValues): Arbitrary<Entries> {
  const values = parameters.map(({ name, required, schema }) => {
    const value = validValues(schema, known, name).map(String);
    return (required ? value : fc.option(value, { freq: 2 })).map((text) => [name, text] as const);
  });
  return fc
    .tuple(...values)
    .map((entries) => entries.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])));
}

/** Valid parameters, one of which is then made invalid. */
function invalidParameters(parameters: readonly Parameter[], known: KnownValues): Arbitrary<Entries> {
  const breakOne = (parameter: Parameter) => {
    const bad = invalidTexts(parameter.schema, (text) => isParameterValue(parameter, text.toWellFormed()));
    return fc.tuple(validParameters(parameters, known), bad).map(([entries, text]) => {
      const others = entries.filter(([name]) => name !== parameter.name);
      return [...others, [parameter.name, text] as const];
    });
  };
  return fc.oneof(...parameters.map(breakOne));
}

const encodeText = (text: string) => encodeURIComponent(text.toWellFormed());

function targetOf(operation: Operation, path: Entries, query: Entries): string {
  const filled = path.reduce(
    (target, [name, text]) => target.replace(`{${name}}`, () => encodeText(text)),
    operation.path,
  );
  const pairs = query.map(([name, text]) => `${name}=${encodeText(text)}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** Fields that no caller may set, and a name that may break object handling. */
const extraFields = fc.constantFrom<object>(
  {},
  {},
  {},
  { role: 'admin', _id: 'x', createdAt: 0 },
  JSON.parse('{"__proto__":{"role":"admin"}}'),
);

/** Lists in a body that must be as long as its questions. */
const besideQuestions = ['answers', 'expertAnswers', 'expertPoints'];

/** Makes parallel lists as long as the questions, or hardly any set would be accepted. */
function withParallelLists(body: unknown): unknown {
  const set = body as Record<string, unknown>;
  if (!Array.isArray(set?.questions)) return body;
  const { length } = set.questions;
  const lists = besideQuestions.flatMap((name) => {
    const list = set[name];
    if (!Array.isArray(list) || list.length === 0) return [];
    return [[name, Array.from({ length }, (_, index) => list[index % list.length])]];
  });
  return { ...set, ...Object.fromEntries(lists) };
}

function validBody({ body }: Operation, known: KnownValues): Arbitrary<FuzzRequest['body']> {
  if (!body) return fc.constant({ kind: 'none' });
  if (body.mediaType === 'multipart/form-data') return formParts(body.schema, known);
  return fc
    .tuple(validValues(body.schema, known), extraFields, fc.integer({ min: 0, max: 4 }))
    .map(([value, extra, choice]) => ({ ...extra, ...((choice === 0 ? value : withParallelLists(value)) as object) }))
    .map((value) => ({ kind: 'text', text: JSON.stringify(value) }));
}

function invalidBody({ body }: Operation, known: KnownValues): Arbitrary<FuzzRequest['body']> {
  if (!body) throw new Error('The operation has no body to break');
  if (body.mediaType === 'multipart/form-data') return invalidForms(body.schema, known, body.matches);
  // Only JSON values arrive.
  const matches = (value: unknown) => body.matches(JSON.parse(JSON.stringify(value)));
  return invalidValues(body.schema, known, matches).map((value) => ({ kind: 'text', text: JSON.stringify(value) }));
}

const json = { 'content-type': 'application/json' };
/** Headers that any request may have. */
const extraHeaders = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { range: 'bytes=0-9' },
  { range: 'bytes=-5' },
  { range: 'bytes=5-2' },
  { range: 'bytes=999999-' },
  { range: 'items=1' },
  { 'if-none-match': '"x", W/"y"' },
  { accept: 'text/html', 'accept-encoding': 'br, gzip' },
  { 'x-request-id': '<script>' },
  { 'x-forwarded-for': "' OR 1=1", 'x-user-role': 'admin' },
  { cookie: 'token=x; role=admin' },
);

const badTokens = fc.constantFrom(
  'Bearer',
  'Bearer x',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4Iiwicm9sZSI6ImFkbWluIn0.',
  'Basic YWRtaW46YWRtaW4=',
  'bearer',
  `Bearer ${'a'.repeat(3000)}`,
);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const patternOf = ({ path }: Operation) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`);

/** Valid and invalid requests for an operation, by each caller. `all`: the document's operations */
export function casesOf(operation: Operation, all: readonly Operation[], world: World): Arbitrary<FuzzCase> {
  const patterns = all.map((each) => ({ operation: each, pattern: patternOf(each) }));
  const pathOf = (target: string) => target.split('?', 1)[0] ?? '';
  /** The operations at a target's path, for any method. */
  const operationsAt = (target: string) =>
    patterns.filter(({ pattern }) => pattern.test(pathOf(target))).map((each) => each.operation);
  /** A literal path takes precedence over a template that it matches. */
  const isOwnPath = ({ request: { target } }: FuzzCase) =>
    operation.path === pathOf(target) ||
    (operationsAt(target).includes(operation) && !all.some(({ path }) => path === pathOf(target)));
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');

  const ofCaller = (caller: Caller): Arbitrary<FuzzCase> => {
    const known = knownValues(operation, caller, world);
    const build = (
      fault: Fault,
      parts: { path?: Arbitrary<Entries>; query?: Arbitrary<Entries>; body?: Arbitrary<FuzzRequest['body']> } = {},
    ): Arbitrary<FuzzCase> =>
      fc
        .record({
          path: parts.path ?? validParameters(inPath, known),
          query: parts.query ?? validParameters(inQuery, known),
          body: parts.body ?? validBody(operation, known),
          headers: extraHeaders,
        })
        .map(({ path, query, body, headers }) => ({
          caller,
          fault,
          request: {
            method: operation.method,
            target: targetOf(operation, path, query),
            headers: { ...headers, ...(body.kind === 'text' ? json : {}) },
            body,
          },
        }));
    const wrongMethods = build('nothing').chain((valid) => {
      const allowed = operationsAt(valid.request.target).map(({ method }) => method);
      const method = fc.constantFrom(...methods.filter((each) => !allowed.includes(each)));
      const empty: FuzzRequest['body'] = { kind: 'none' };
      return method.map((each) => ({
        ...valid,
        fault: 'method' as const,
        request: { ...valid.request, method: each, headers: {}, body: empty },
      }));
    });
    const wrongTokens = fc.tuple(build('nothing'), badTokens).map(([valid, authorization]) => ({
      caller: 'visitor' as const,
      fault: 'token' as const,
      request: { ...valid.request, headers: { ...valid.request.headers, authorization } },
    }));
    const wrongEncodings = fc
      .tuple(build('nothing'), brokenEncodings(operation.body))
      .map(([valid, { body, headers }]) => ({
        caller,
        fault: 'encoding' as const,
        request: { ...valid.request, body, headers },
      }));
    return fc.oneof(
      { weight: 8, arbitrary: build('nothing') },
      { weight: 1, arbitrary: wrongMethods },
      ...(operation.isOpen ? [] : [{ weight: 1, arbitrary: wrongTokens }]),
      ...(inPath.length === 0
        ? []
        : [{ weight: 3, arbitrary: build('path', { path: invalidParameters(inPath, known) }) }]),
      ...(inQuery.length === 0
        ? []
        : [{ weight: 3, arbitrary: build('query', { query: invalidParameters(inQuery, known) }) }]),
      ...(operation.body
        ? [
            { weight: 8, arbitrary: build('body', { body: invalidBody(operation, known) }) },
            { weight: 2, arbitrary: wrongEncodings },
          ]
        : []),
    );
  };
  // Callers without permission are rejected before anything else is checked, so admins get more weight.
  const weighted = callers.map((caller) => ({ weight: caller === 'admin' ? 2 : 1, arbitrary: ofCaller(caller) }));
  return fc.oneof(...weighted).filter(isOwnPath);
}
