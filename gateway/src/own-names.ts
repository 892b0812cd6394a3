import { isIPv4 } from 'node:net';
import { HttpError } from '@interview-prep/kit/http/http-error';
import type { RequestHandler } from 'express';

/** The hostname in a Host header, without the port; null if it is invalid. */
function hostnameOf(host: string | undefined): string | null {
  return URL.parse(`http://${host ?? ''}`)?.hostname ?? null;
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));

/**
 * Accepts only the host of PUBLIC_URL and loopback names, with any port; others get 421. Otherwise a page whose own name resolves
 * to this machine (DNS rebinding) would count as same-origin and could read the demonstration logins.
 */
export function answerToOwnNames(publicUrl: string): RequestHandler {
  const own = new URL(publicUrl).hostname;
  return (req, _res, next) => {
    const hostname = hostnameOf(req.headers.host);
    if (hostname !== null && (hostname === own || isLoopback(hostname))) return next();
    req.resume();
    throw new HttpError(421, 'misdirected', `This is a demonstration for its own address only: ${publicUrl}`);
  };
}
