import type { RouteRequest } from './route-request.ts';

interface EarlyAnswer {
  authorization: string;
  body: string;
  sentAtMs: number;
  response: Promise<Response>;
}

/** Older responses are discarded: another screen was shown first. */
const maxAgeMs = 60_000;

const answers = new Map<string, EarlyAnswer>();

/** Reads the whole body: an unread one may block its connection for the next request. */
async function readWhole(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  return new Response((await answer.text()) || null, { status, headers });
}

/** Sends requests early, before the code that uses their responses has loaded. */
export function sendEarly(requests: Iterable<RouteRequest>, token: string): void {
  for (const { url, method, body } of requests) {
    const authorization = `Bearer ${token}`;
    const headers = new Headers({ Accept: 'application/json', Authorization: authorization });
    const text = body ? JSON.stringify(body) : '';
    if (body) headers.set('Content-Type', 'application/json');
    const response = fetch(url, { method, headers, ...(body ? { body: text } : {}) }).then(readWhole);
    // Failures surface where the response is used.
    response.catch(() => undefined);
    answers.set(`${method} ${url}`, { authorization, body: text, sentAtMs: Date.now(), response });
  }
}

/** Fetches, or takes the early response to the same request of the same sign-in. Each is used once. */
export async function fetchOrTake(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const key = `${request.method} ${pathname}${search}`;
  const early = answers.get(key);
  if (!early) return fetch(request);
  answers.delete(key);
  const isSame =
    early.authorization === request.headers.get('Authorization') &&
    Date.now() - early.sentAtMs < maxAgeMs &&
    (request.method === 'GET' || early.body === (await request.clone().text()));
  return isSame ? early.response : fetch(request);
}
