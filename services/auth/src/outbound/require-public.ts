import { lookup } from 'node:dns/promises';
import { badRequest } from '@interview-prep/kit/http/http-error';
import { isPublicAddress, PrivateAddress } from '@interview-prep/kit/http/public-addresses';
import { faultOfUrl, type OutboundNetworks } from './outbound-request.ts';

/** @throws HttpError 400 for an address that no request may be sent to; `path` is its field */
export async function requirePublic(url: string, path: string, networks: OutboundNetworks): Promise<void> {
  const refuse = (message: string) => badRequest(message, [{ path, message }]);
  const fault = faultOfUrl(url, networks);
  if (fault) throw refuse(fault);
  if (networks === 'any') return;
  const found = await lookup(new URL(url).hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => {
    throw refuse('This host cannot be found');
  });
  if (!found.every(({ address }) => isPublicAddress(address))) throw refuse(new PrivateAddress().message);
}
