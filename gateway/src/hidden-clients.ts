import { isPrivateAddress } from '@interview-prep/kit/http/public-addresses';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { RequestHandler } from 'express';

/** Whether the address is loopback or private. */
export function isLocalAddress(address: string | undefined): boolean {
  return address !== undefined && isPrivateAddress(address);
}

/**
 * Detects a reverse proxy in front although TRUST_PROXY is 0: all clients then share the proxy's address. Logs one warning
 * and marks the requests, so that limits per address are wider. Clients on the local network can fake these signs.
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
