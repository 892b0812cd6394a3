import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { System } from '../system/system.ts';
import type { Journal, Operation } from './journal.ts';

/** An API call. `body` is sent as JSON, as a form, or as bytes with their digest. */
export interface Call {
  method: string;
  path: string;
  body?: unknown;
  /** Sent instead of the user's own token. A 401 is not retried then. */
  token?: string;
}

/** A response. `body` is undefined if it is not JSON. */
export interface Answer {
  status: number;
  body: unknown;
}

/** A user of the product whose calls are retried until a response doesn't signal an outage. */
export interface Client {
  email: string;
  /** Undefined until the first sign-in. */
  token: string | undefined;
  signIn(operation: Operation): Promise<string | undefined>;
  /** Undefined if no call got a response in time; the first response that doesn't signal an outage ends the retries. */
  call(operation: Operation, call: Call): Promise<Answer | undefined>;
}

/** The grace period beyond the product's limit, after which a call counts as unanswered. */
const PATIENCE_MS = 3000;
/** How long an operation is retried, as a person would press the button again. */
const RETRY_FOR_MS = 150_000;
const MAX_PAUSE_MS = 3000;
const OUTAGES = [502, 503, 504];

/** A client for one user. `isStopping` ends its retries. `answerLimitMs`: the product must respond within this time, even if with 503. */
export function createClient(
  system: Pick<System, 'url' | 'password'>,
  email: string,
  journal: Journal,
  answerLimitMs: number,
  isStopping: () => boolean,
): Client {
  const send = async (operation: Operation, { method, path, body, token }: Call) => {
    const at = journal.now();
    let outcome: number | string = 'no answer';
    let retryAfterS = 1;
    try {
      const response = await fetch(system.url + path, {
        method,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headersOf(body) },
        ...(body === undefined ? {} : { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerLimitMs + PATIENCE_MS),
      });
      const text = await response.text();
      outcome = response.status;
      retryAfterS = Number(response.headers.get('retry-after') ?? 1);
      return { answer: { status: response.status, body: parse(text) }, retryAfterS };
    } catch (error) {
      const { cause, name } = error as Error & { cause?: { code?: string } };
      outcome = cause?.code ?? name;
      return { answer: undefined, retryAfterS };
    } finally {
      const tookMs = journal.now() - at;
      operation.attempts.push({ at, tookMs, outcome });
      if (tookMs > answerLimitMs && !journal.wasMuteSince(at)) {
        const said = typeof outcome === 'number' ? `answered ${outcome}` : 'gave no answer';
        journal.report('slow', `${method} ${path} ${said} after ${tookMs} ms`, operation.subject, operation.faults);
      }
      if (outcome === 500) {
        journal.report('status', `${method} ${path} answered 500`, operation.subject, operation.faults);
      }
    }
  };

  const retry = async (
    operation: Operation,
    callOf: () => Promise<Call | undefined>,
    usesOwnToken = false,
  ): Promise<Answer | undefined> => {
    const giveUpAt = journal.now() + RETRY_FOR_MS;
    while (journal.now() < giveUpAt) {
      const call = await callOf();
      if (!call) return undefined;
      const { answer, retryAfterS } = await send(operation, call);
      // The user may have signed out in another window in the meantime.
      const isRefused = answer?.status === 401 && usesOwnToken;
      if (isRefused) {
        if (call.token === client.token) client.token = undefined;
      } else if (answer && !OUTAGES.includes(answer.status)) return answer;
      if (isStopping()) return undefined;
      if (!isRefused) await pause(Math.min(retryAfterS * 1000, MAX_PAUSE_MS));
    }
    return undefined;
  };

  const client: Client = {
    email,
    token: undefined,
    async signIn(operation) {
      const body = { email, password: system.password };
      const answer = await retry(operation, async () => ({ method: 'POST', path: '/api/auth/login', body }));
      const token = (answer?.body as { user?: { token?: string } } | undefined)?.user?.token;
      if (answer && !token) {
        journal.report('status', `A sign-in answered ${answer.status}`, operation.subject, operation.faults);
      }
      return token;
    },
    call: (operation, call) =>
      call.token
        ? retry(operation, async () => call)
        : retry(
            operation,
            async () => {
              client.token ??= await client.signIn(operation);
              return client.token ? { ...call, token: client.token } : undefined;
            },
            true,
          ),
  };
  return client;
}

const isSentAsItIs = (body: unknown): body is FormData | Uint8Array<ArrayBuffer> =>
  body instanceof FormData || body instanceof Uint8Array;

function headersOf(body: unknown): Record<string, string> {
  if (body instanceof Uint8Array) {
    const digest = createHash('sha256').update(body).digest('base64');
    return { 'content-type': 'application/octet-stream', 'content-digest': `sha-256=:${digest}:` };
  }
  return body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
