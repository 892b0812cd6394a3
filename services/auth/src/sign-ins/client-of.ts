import { isIP } from 'node:net';
import type { SignInPlace } from '@interview-prep/contracts/auth/sign-ins';
import { isPrivateAddress } from '@interview-prep/kit/http/public-addresses';
import Bowser from 'bowser';
import type { Request } from 'express';

/** The device and network address of a request. */
export interface Client {
  browser: string | null;
  system: string | null;
  address: string | null;
}

/** Longer user agents are implausible, and not parsed. */
const userAgentMaxLength = 512;
const nameMaxLength = 40;

const named = (name: string | undefined) => name?.slice(0, nameMaxLength) || null;

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The client of a request. Browser and system have no versions: the names suffice to distinguish devices. */
export function clientOf(req: Pick<Request, 'headers' | 'ip'>): Client {
  const userAgent = req.headers['user-agent'] ?? '';
  const readable = userAgent !== '' && userAgent.length <= userAgentMaxLength;
  const { browser, os } = readable ? Bowser.parse(userAgent) : { browser: {}, os: {} };
  return {
    browser: named(browser.name),
    system: named(os.name),
    address: req.ip === undefined ? null : plain(req.ip),
  };
}

/** Classifies an address relative to another one: the same, private, or on the internet. */
export function networkOf(address: string | null, seenFrom: string | null): SignInPlace['network'] {
  if (address === null || isIP(address) === 0) return 'public';
  if (address === seenFrom) return 'this';
  return isPrivateAddress(address) ? 'private' : 'public';
}
