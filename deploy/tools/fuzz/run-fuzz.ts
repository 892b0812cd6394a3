import fc from 'fast-check';
import { type ApiDocument, type Operation, operationsOf } from './api-document.ts';
import { casesOf, type FuzzCase } from './cases.ts';
import { problemOf, type SentCase } from './check-response.ts';
import { fillPlaceholders } from './known-values.ts';
import { type FormPart, type FuzzRequest, type FuzzResponse, send } from './request.ts';
import type { OwnKind, World } from './world.ts';

/**
 * Settings for fuzzing: thousands of cases would hit rate limits and outlast a recent sign-in, and speech processing should be
 * cheap.
 */
export const fuzzSettings: Readonly<Record<string, string>> = {
  LOGIN_ATTEMPTS: '0',
  UPLOADS_PER_HOUR: '0',
  LOG_LEVEL: 'warn',
};

/** Quotes text for a shell. */
const quoted = (text: string) =>
  /[^\x20-\x7e]/.test(text)
    ? `$'${[...JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')].join('').replaceAll("'", "\\'")}'`
    : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The request as a curl command, with the product's address in `$URL`.
 * @param names shell variables by token, such as `$ADMIN`
 */
function curlLine({ method, target, headers, body }: FuzzRequest, names: ReadonlyMap<string, string>): string {
  const header = ([name, value]: [string, string]) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(value) ?? [];
    return names.has(token) ? `-H "${name}: Bearer ${names.get(token)}"` : `-H ${quoted(`${name}: ${value}`)}`;
  };
  const part = ({ name, content, fileName }: FormPart) =>
    fileName === undefined
      ? `-F ${quoted(`${name}=${content.toString()}`)}`
      : `-F ${quoted(`${name}=@FILE;filename=${fileName}`)} # a file of ${content.length} bytes`;
  const sent = {
    none: () => [],
    text: () => [`--data-raw ${quoted(body.kind === 'text' ? body.text : '')}`],
    form: () => (body.kind === 'form' ? body.parts.map(part) : []),
  }[body.kind]();
  return ['curl -i', `-X ${method}`, ...Object.entries(headers).map(header), ...sent, `"$URL"${quoted(target)}`].join(
    ' ',
  );
}

/** The results of one operation's cases. */
export interface OperationResult {
  operation: string;
  cases: number;
  /** The count of each response status. */
  statuses: ReadonlyMap<number, number>;
  /** The documented success statuses if none was reached; empty if one was. */
  unreached: readonly number[];
  failure: { problem: string; caller: string; curl: string; seed: number } | null;
}

export interface FuzzOptions {
  cases: number;
  seed: number;
  /** Only these operations; all by default. */
  only?: readonly string[];
  onResult?: (result: OperationResult) => void;
}

/** The time limit for shrinking a failing case. */
const shrinkMs = 20_000;

/** Thrown for a response that breaks a rule. */
class FoundProblem extends Error {
  readonly sent: SentCase;
  constructor(problem: string, sent: SentCase) {
    super(problem);
    this.sent = sent;
  }
}

/** The operations that take a cookie, and its kind. */
const cookies: Readonly<Record<string, OwnKind>> = { downloadDataExport: 'export cookie' };

/** Fills in values that are only known on sending: placeholders, the caller's token, and a cookie. */
async function fill({ request, caller }: FuzzCase, operation: Operation, world: World): Promise<FuzzRequest> {
  const user = caller === 'visitor' ? 'candidate' : caller;
  const account = operation.id === 'deleteAccount' ? await world.makeAccount() : world.accounts[user];
  const fillText = (text: string) => fillPlaceholders(text, world, user, account);
  const { body } = request;
  const kind = request.headers.cookie === undefined ? cookies[operation.id] : undefined;
  return {
    ...request,
    target: await fillText(request.target),
    headers: {
      ...request.headers,
      ...(kind ? { cookie: await world.makeOwn(kind, user) } : {}),
      ...(caller === 'visitor' ? {} : { authorization: `Bearer ${account.token}` }),
    },
    body: body.kind === 'text' ? { kind: 'text', text: await fillText(body.text) } : body,
  };
}

/** The path for deleting a created object, by operation, so that lists don't grow with every case. */
const deletions: Record<string, (body: never) => string> = {
  createTechnology: ({ technology }: { technology: { id: string } }) => `/api/technologies/${technology.id}`,
  createInterviewSet: ({ interviewSet }: { interviewSet: { _id: string } }) =>
    `/api/interviews/sets/${interviewSet._id}`,
  createPracticeSet: ({ practiceSet }: { practiceSet: { _id: string } }) => `/api/practice/${practiceSet._id}`,
  register: ({ user }: { user: { id: string } }) => `/api/users/${user.id}`,
};

/** Restores the world: the caller's sign-in, and objects that the case created. */
async function tidyUp({ operation, caller, request }: SentCase, response: FuzzResponse, world: World): Promise<void> {
  if (response.status >= 300) return;
  const account = world.accounts[caller === 'visitor' ? 'candidate' : caller];
  const deletion = deletions[operation.id];
  if (deletion) await world.ask(world.accounts.admin, 'DELETE', deletion(JSON.parse(response.text) as never));
  if (operation.id === 'logout') {
    const { email, password } = account;
    const { user } = await world.ask<{ user: { token: string } }>(null, 'POST', '/api/auth/login', { email, password });
    account.token = user.token;
  }
  if (operation.id === 'stepUp') account.token = (JSON.parse(response.text) as { token: string }).token;
  if (operation.id === 'changePassword' && request.body.kind === 'text') {
    account.password = (JSON.parse(request.body.text) as { newPassword: string }).newPassword;
    account.token = (JSON.parse(response.text) as { token: string }).token;
  }
}

async function fuzzOperation(
  operation: Operation,
  all: readonly Operation[],
  world: World,
  { cases, seed }: { cases: number; seed: number },
): Promise<OperationResult> {
  const statuses = new Map<number, number>();
  let firstFailedAt = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(casesOf(operation, all, world), async (fuzzCase) => {
    if (Date.now() - firstFailedAt > shrinkMs) return;
    const sent: SentCase = { ...fuzzCase, operation, request: await fill(fuzzCase, operation, world) };
    const response = await send(world.url, sent.request).catch((error: unknown) => {
      throw new FoundProblem(`there was no answer: ${error}`, sent);
    });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    await tidyUp(sent, response, world);
    const problem = problemOf(sent, response, world);
    if (problem === null) return;
    firstFailedAt = Math.min(firstFailedAt, Date.now());
    throw new FoundProblem(problem, sent);
  });
  const details = await fc.check(property, { numRuns: cases, seed });
  const successes = [...operation.responses.keys()].filter((status) => status < 300);
  return {
    operation: operation.id,
    cases: details.numRuns,
    statuses,
    unreached: successes.some((status) => statuses.has(status)) ? [] : successes,
    failure: details.failed ? failureOf(details.errorInstance, seed, world) : null,
  };
}

function failureOf(error: unknown, seed: number, { accounts }: World): OperationResult['failure'] {
  if (!(error instanceof FoundProblem)) throw error;
  const tokens = Object.entries(accounts).map(([name, { token }]) => [token, `$${name.toUpperCase()}`] as const);
  return {
    problem: error.message,
    caller: error.sent.caller,
    curl: curlLine(error.sent.request, new Map(tokens)),
    seed,
  };
}

/** Sends generated requests to every operation of the running product's own OpenAPI document. */
export async function runFuzz(world: World, options: FuzzOptions): Promise<OperationResult[]> {
  const document = await world.ask<ApiDocument>(null, 'GET', '/api/openapi.json');
  const all = operationsOf(document);
  const chosen = all.filter(({ id }) => options.only?.includes(id) ?? true);
  const results: OperationResult[] = [];
  for (const [index, operation] of chosen.entries()) {
    // Cases are divided evenly; the first operations get the remainder.
    const cases = Math.floor((options.cases + chosen.length - 1 - index) / chosen.length);
    const result = await fuzzOperation(operation, all, world, { cases, seed: options.seed });
    options.onResult?.(result);
    results.push(result);
  }
  return results;
}
