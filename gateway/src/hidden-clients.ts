import { BlockList, isIPv6 } from 'node:net';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { RequestHandler } from 'express';

/** Loopback, private and link-local addresses: where a proxy of one's own stands. */
const localNetworks = new BlockList();
for (const [network, bits, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const) {
  localNetworks.addSubnet(network, bits, family);
}

/** Whether an address is of this machine or its network. */
export function isLocalAddress(address: string | undefined): boolean {
  return address !== undefined && localNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
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
