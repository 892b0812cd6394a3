import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { invalidField } from '@interview-prep/kit/http/http-error';
import { isPublicAddress, lookupPublic, PrivateAddress } from '@interview-prep/kit/http/public-addresses';

/** The networks that outbound requests may reach: `any` is for installations whose other systems are in a private network. */
export type OutboundNetworks = 'public' | 'any';

const timeoutMs = 15_000;

/** A request without a usable response. `message` says why. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
}

/** Why requests to a URL are forbidden, in words; null if they are allowed. Host names are checked when they are resolved. */
function faultOfUrl(url: string, networks: OutboundNetworks): string | null {
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) return 'The address must not have a user or a password';
  if (networks === 'any') return null;
  if (protocol !== 'https:') return 'Please enter an address that begins with https://';
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host) ? new PrivateAddress().message : null;
}

/** @throws HttpError 400 for a forbidden URL; `path` is its field */
export async function requirePublic(url: string, path: string, networks: OutboundNetworks): Promise<void> {
  const refuse = (message: string) => invalidField(path, message);
  const fault = faultOfUrl(url, networks);
  if (fault) throw refuse(fault);
  if (networks === 'any') return;
  const found = await lookup(new URL(url).hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => {
    throw refuse('This host cannot be found');
  });
  if (!found.every(({ address }) => isPublicAddress(address))) throw refuse(new PrivateAddress().message);
}

/** A request. By default nothing of the response is read. */
export interface OutboundRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string | number>;
  body?: string;
  maxBytes?: number;
  networks: OutboundNetworks;
}

/**
 * Sends a request to a user-supplied URL. Doesn't follow redirects.
 * @throws OutboundFailure if there is no response, or it is too long
 */
export async function requestOutbound(
  url: string,
  { method = 'GET', headers = {}, body, maxBytes = 0, networks }: OutboundRequest,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const fault = faultOfUrl(url, networks);
  if (fault) throw new OutboundFailure(fault);
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const checkedLookup = networks === 'public' ? { lookup: lookupPublic } : {};
  try {
    // Use a new connection: a pooled one would skip the address check.
    const request = open(url, {
      method,
      headers: { 'user-agent': 'Interview-Preparation-Platform', ...headers, ...length },
      agent: false,
      signal,
      ...checkedLookup,
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    let size = 0;
    if (maxBytes > 0)
      for await (const part of response as AsyncIterable<Buffer>) {
        size += part.length;
        if (size > maxBytes) throw new OutboundFailure('The answer is too long');
        parts.push(part);
      }
    response.destroy();
    request.on('error', () => undefined);
    return { status: Number(response.statusCode), headers: response.headers, body: Buffer.concat(parts).toString() };
  } catch (error) {
    if (error instanceof OutboundFailure) throw error;
    if (signal.aborted) throw new OutboundFailure(`No answer within ${timeoutMs / 1000} seconds`);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutboundFailure(error instanceof PrivateAddress ? message : `No connection (${code ?? 'error'})`);
  }
}
