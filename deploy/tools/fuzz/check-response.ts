import type { Operation } from './api-document.ts';
import type { FuzzCase } from './cases.ts';
import type { FuzzRequest, FuzzResponse } from './request.ts';
import { idsOf } from './take-sessions.ts';
import type { World } from './world.ts';

/** No response may take longer. */
const slowestMs = 10_000;
/** Internals that must not leak. */
const internals = /mongo|redis|bullmq|ECONN|ENOENT|at \w+ \(|node_modules|\.ts:\d/i;
const requestIds = /^[\w-]{8,64}$/;

/** A sent case, with its placeholders filled in. */
export interface SentCase extends Omit<FuzzCase, 'request'> {
  operation: Operation;
  request: FuzzRequest;
}

const isSuccess = ({ status }: FuzzResponse) => status >= 200 && status < 400;

const contentTypeOf = ({ headers }: FuzzResponse) => String(headers['content-type'] ?? '').split(';')[0] ?? '';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How the body violates the document for this status, if it does. */
function bodyProblem(operation: Operation, response: FuzzResponse, status: number): string | null {
  const contents = operation.responses.get(status);
  const type = contentTypeOf(response);
  if (contents === undefined) return `the status ${status} is not documented`;
  if (contents === null) return response.text === '' ? null : `${status} has a body, and the document has none`;
  const check = contents.get(type);
  if (check === undefined) return `the content type ${type || '(none)'} of ${status} is not documented`;
  if (check === null || check(parsed(response.text))) return null;
  const [error] = check.errors ?? [];
  return `the body of ${status} does not match its schema: ${error?.instancePath || 'the whole'} ${error?.message}`;
}

function documentProblem({ operation, fault }: SentCase, response: FuzzResponse): string | null {
  if (fault !== 'method') return bodyProblem(operation, response, response.status);
  if (response.status !== 405) return `a method that the path does not have answered ${response.status}, not 405`;
  if (!response.headers.allow) return '405 has no Allow';
  // It has the common error body.
  return bodyProblem(operation, response, 400);
}

/** Finds requests that were accepted but had to be rejected. */
function refusalProblem({ operation, caller, fault }: SentCase, response: FuzzResponse): string | null {
  if (!isSuccess(response)) return null;
  if (fault !== 'nothing') return `a request with a bad ${fault} was taken with ${response.status}`;
  if (caller === 'visitor' && !operation.isOpen) return `a visitor was let in with ${response.status}`;
  if (caller !== 'admin' && operation.isForAdmins)
    return `a ${caller} did what only admins may, with ${response.status}`;
  return null;
}

/** The operations that return the user who signs in, whoever the caller is. */
const signsIn = new Set(['login', 'googleSignIn']);

/** The operations that are authorized by a link's token or cookie. */
const byLink = new Set(['media', 'downloadDataExport']);

/** Finds data in a response that the caller must not see. */
function privacyProblem({ operation, caller, request }: SentCase, response: FuzzResponse, world: World): string | null {
  if (caller === 'admin' || signsIn.has(operation.id)) return null;
  const sent = `${request.target} ${request.body.kind === 'text' ? request.body.text : ''}`;
  if (byLink.has(operation.id)) return linkProblem(request, response, world);
  for (const [secret, readers] of world.secrets) {
    if (!readers.includes(caller) && !sent.includes(secret) && response.text.includes(secret))
      return `the answer has ${secret}, which a ${caller} may not see`;
  }
  const others = Object.entries(world.accounts).filter(([name]) => name !== caller);
  const foreign = others.flatMap(([name, { id }]) => [
    id,
    ...idsOf(world.belongings[name as keyof World['belongings']]),
  ]);
  const taken = isSuccess(response) && foreign.find((id) => sent.includes(id));
  return taken ? `a ${caller} reached ${taken}, which is somebody else's, with ${response.status}` : null;
}

/** Checks that a link opens only its own target. */
function linkProblem({ target, headers }: FuzzRequest, response: FuzzResponse, { linkTokens }: World): string | null {
  if (!isSuccess(response)) return null;
  const { pathname, searchParams } = new URL(target, 'http://product');
  const opens = linkTokens.get(searchParams.get('token') ?? String(headers.cookie ?? ''));
  return pathname.split('/').at(-1)?.toLowerCase() === opens
    ? null
    : 'a link was opened without its own token or cookie';
}

/** The first violation in a response: of the document, the roles, or each caller's permissions. Null if there is none. */
export function problemOf(sent: SentCase, response: FuzzResponse, world: World): string | null {
  const { status, text, headers, tookMs } = response;
  if (status >= 500) return `${status}: ${text.slice(0, 200)}`;
  if (tookMs > slowestMs) return `the answer took ${Math.round(tookMs / 1000)} s`;
  if (!requestIds.test(String(headers['x-request-id'])))
    return `the request id ${headers['x-request-id']} is malformed`;
  const found =
    documentProblem(sent, response) ?? refusalProblem(sent, response) ?? privacyProblem(sent, response, world);
  if (found) return found;
  return status >= 400 && internals.test(text)
    ? `the answer shows what is behind the API: ${text.slice(0, 200)}`
    : null;
}
