import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** Loopback, private and link-local addresses: this machine and its network. */
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

/** Headers that a proxy adds. */
const proxyHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'];

/** Whether a request comes directly, without a proxy, from this machine or its network. */
export function isLocalCaller({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = socket.remoteAddress;
  if (!address || proxyHeaders.some((name) => headers[name] !== undefined)) return false;
  return localNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
