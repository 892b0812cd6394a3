import { UnusableSetting } from '@interview-prep/kit/process/config';
import { tlsFault } from '@interview-prep/kit/process/tls-files';
import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { Agent } from 'undici';
import { EngineError } from '../engine-error.ts';

/** An OpenAI-compatible server. `url` is its base, e.g. https://api.openai.com/v1. */
export interface OpenAiServer {
  url: string;
  apiKey?: string | undefined;
  model: string;
  /** For one call, from the request to the end of the response. */
  timeoutMs: number;
}

/**
 * No header or body timeouts: fetch's default is to give up on headers after five minutes,
 * and a speech server responds only after transcribing the whole recording.
 */
const dispatcher = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 0, bodyTimeout: 0 });

/** A client that reads nothing from the environment and leaves retries to the calling job. */
export function createClient({ url, apiKey }: OpenAiServer): OpenAI {
  return new OpenAI({
    baseURL: url,
    apiKey: apiKey ?? 'none',
    ...(apiKey ? {} : { defaultHeaders: { Authorization: null } }),
    organization: null,
    project: null,
    maxRetries: 0,
    // Never follow redirects: another server must not get the answer or the key.
    fetchOptions: { dispatcher, redirect: 'manual' },
    logLevel: 'off',
  });
}

/** The delay that the server asks for with Retry-After, in ms; null without one. RFC 9110, section 10.2.3. */
function retryAfterMs(headers: Headers | undefined, nowMs: number): number | null {
  const value = headers?.get('retry-after')?.trim();
  if (!value) return null;
  const delayMs = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(delayMs) ? Math.max(0, Math.round(delayMs)) : null;
}

const busy = [408, 409, 425, 429];
const refusals: Record<number, string> = {
  401: 'did not accept its API key',
  403: 'refused access',
  404: 'does not know the address or the model',
  413: 'found the recording too large',
};

/** System errors of failed connection attempts. A connection that breaks later may be due to the recording itself. */
const unconnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const isUnconnected = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && unconnected.includes(String(error.code))) || isUnconnected(error.cause));

/**
 * Calls a server and maps its failures to readable errors. `who` begins the messages, e.g. 'The speech server'. 408, 409, 425,
 * 429, 5xx, a lost connection and a timeout can be retried; any other 4xx is permanent.
 *
 * @throws EngineError, or the signal's reason if aborted; other errors of `call` pass unchanged
 */
export async function callServer<Result>(
  who: string,
  { timeoutMs }: OpenAiServer,
  signal: AbortSignal,
  call: (options: { signal: AbortSignal; timeout: number }) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  // The client's own timeout covers only the response's headers; this one covers the body too, and fires first.
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await call({ signal: AbortSignal.any([signal, deadline]), timeout: timeoutMs * 2 });
  } catch (cause) {
    signal.throwIfAborted();
    // A timeout before the deadline is a connect timeout.
    if (deadline.aborted || cause instanceof APIConnectionTimeoutError)
      throw new EngineError(`${who} did not answer in time.`, {
        permanent: false,
        unreachable: !deadline.aborted,
        cause,
      });
    if (cause instanceof APIConnectionError)
      throw new EngineError(`${who} cannot be reached.`, {
        permanent: false,
        unreachable: isUnconnected(cause),
        cause,
      });
    if (!(cause instanceof APIError)) throw cause;
    throw fromStatus(who, cause);
  }
}

function fromStatus(who: string, cause: APIError): EngineError {
  const status = cause.status ?? 0;
  const delay = retryAfterMs(cause.headers, Date.now());
  if (status === 429)
    return new EngineError(`${who} is receiving too many requests.`, { permanent: false, retryAfterMs: delay, cause });
  if (status >= 500 || busy.includes(status) || status === 0)
    return new EngineError(`${who} failed (status ${status}).`, { permanent: false, retryAfterMs: delay, cause });
  return new EngineError(`${who} ${refusals[status] ?? `refused the request (status ${status})`}.`, {
    permanent: true,
    cause,
  });
}

/** Short, so that the check doesn't delay startup. */
const checkTimeoutMs = 4000;

/** The endpoint that each kind of engine calls. */
const endpoints = { SPEECH: '/audio/transcriptions', ASSESS: '/chat/completions' } as const;

/** The HTTP status of a failed call; null if it succeeds, or without a response. @throws UnusableSetting for a wrong certificate */
async function failureStatus(kind: keyof typeof endpoints, call: Promise<unknown>): Promise<number | null> {
  try {
    await call;
    return null;
  } catch (error) {
    const fault = tlsFault(error);
    if (fault) throw new UnusableSetting(`${kind}_URL`, fault, error);
    return error instanceof APIError ? (error.status ?? null) : null;
  }
}

/**
 * Checks the key by listing the server's models. Keys may lack access to that list (OpenAI's restricted keys get a 403), and
 * not every server has one: in that case an empty request to the endpoint itself shows whether the key is rejected. A server
 * that is down or busy passes.
 * @param kind begins the names of its settings
 * @throws UnusableSetting if waiting won't help: a wrong key or certificate
 */
export async function checkOpenAiServer(kind: keyof typeof endpoints, server: OpenAiServer): Promise<void> {
  const client = createClient(server);
  const options = { timeout: checkTimeoutMs };
  const listed = await failureStatus(kind, client.models.list(options));
  const isUnclear = listed !== null && listed !== 401 && listed < 500;
  const status = isUnclear ? await failureStatus(kind, client.post(endpoints[kind], { ...options, body: {} })) : listed;
  if (status !== 401 && status !== 403) return;
  const refusal = server.apiKey ? `does not accept it (status ${status})` : `asks for a key (status ${status})`;
  throw new UnusableSetting(`${kind}_API_KEY`, `the server at ${server.url} ${refusal}`);
}
