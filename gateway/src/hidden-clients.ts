import { isPrivateAddress } from '@interview-prep/kit/http/public-addresses';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { RequestHandler } from 'express';

/** Whether an address is of this machine or its network. */
export function isLocalAddress(address: string | undefined): boolean {
  return address !== undefined && isPrivateAddress(address);
}

/**
 * Notices signs of a proxy in front although TRUST_PROXY is 0: everyone then has the address of the proxy. It logs a warning
 * once and marks the requests, so that the limits for one address are wider. A client on the local network can fake the sign.
 */
export function findHiddenClients(trustProxy: number, log: Logger): RequestHandler {
  let warned = false;
  return (req, res, next) => {
    const isProxied = req.headers['x-forwarded-for'] !== undefined || req.headers.forwarded !== undefined;
    if (trustProxy === 0 && isProxied && isLocalAddress(req.socket.remoteAddress)) {
      res.locals.sharesAddress = true;
      if (!warned) {
        warned = true;
        log.warn(
          { proxy: req.socket.remoteAddress },
          'requests seem to come through a proxy, but TRUST_PROXY is 0: everyone has the address of the proxy, so limits for one address are ten times as wide. Set TRUST_PROXY to the number of proxies in front',
        );
      }
    }
    next();
  };
}
