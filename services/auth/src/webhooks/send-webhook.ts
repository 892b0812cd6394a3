import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, lookupPublic, PrivateAddress } from '@interview-prep/kit/http/public-addresses';
import { Webhook as Signer } from 'standardwebhooks';

/** Which networks webhooks may be sent to: `any` is for installations whose receivers are in a private network. */
export type WebhookNetworks = 'public' | 'any';

const timeoutMs = 15_000;

/** What keeps a webhook from being sent to an address, in words; null where nothing does. Names are checked when they are resolved. */
export function faultOfUrl(url: string, networks: WebhookNetworks): string | null {
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) return 'The address must not have a user or a password';
  if (networks === 'any') return null;
  if (protocol !== 'https:') return 'Please enter an address that begins with https://';
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host) ? new PrivateAddress().message : null;
}

/**
 * Sends a signed message. Redirects are not followed. Source: the Standard Webhooks specification.
 * @returns whether the receiver took it, by a status from 200 to 299; and the status, or why there is none
 */
export async function sendWebhook(
  message: { id: string; url: string; secret: string; payload: string },
  networks: WebhookNetworks,
): Promise<{ succeeded: boolean; outcome: string }> {
  const { id, url, secret, payload } = message;
  const fault = faultOfUrl(url, networks);
  if (fault) return { succeeded: false, outcome: fault };
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'user-agent': 'Interview-Preparation-Platform',
    'webhook-id': id,
    'webhook-timestamp': Math.floor(now.getTime() / 1000),
    'webhook-signature': new Signer(secret).sign(id, now, payload),
  };
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const lookup = networks === 'public' ? { lookup: lookupPublic } : {};
    // A connection of its own: a kept one would not be checked again.
    const request = open(url, { method: 'POST', headers, agent: false, signal, ...lookup });
    request.end(payload);
    const [response] = await once(request, 'response');
    const status = Number(response.statusCode);
    // Whatever it says is not read.
    response.destroy();
    request.on('error', () => undefined);
    return { succeeded: status >= 200 && status < 300, outcome: String(status) };
  } catch (error) {
    if (signal.aborted) return { succeeded: false, outcome: `No answer within ${timeoutMs / 1000} seconds` };
    const { code, message: text } = error as NodeJS.ErrnoException;
    return { succeeded: false, outcome: error instanceof PrivateAddress ? text : `No connection (${code ?? 'error'})` };
  }
}
