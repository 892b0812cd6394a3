import type { Request, Response } from 'express';

/** A cookie for this host only: `HttpOnly`, and never sent with requests from other sites. */
export interface HostCookie {
  set(res: Response, value: string, lifetimeSeconds: number): void;
  clear(res: Response): void;
  /** Its value; undefined if the request has none. */
  read(req: Request): string | undefined;
}

/**
 * A cookie for requests that browsers send without an `Authorization` header: media and downloads.
 * @param publicUrl with `https:` the cookie is `Secure`, and its name has the prefix `__Host-`. Browsers reject both over HTTP.
 */
export function createHostCookie(name: string, publicUrl: string): HostCookie {
  const secure = publicUrl.startsWith('https:');
  const start = `${secure ? '__Host-' : ''}${name}`;
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  return {
    set(res, value, lifetimeSeconds) {
      res.cookie(start, value, { ...attributes, maxAge: lifetimeSeconds * 1000 });
    },
    clear(res) {
      res.clearCookie(start, attributes);
    },
    read(req) {
      const pairs = (req.headers.cookie ?? '').split(/; */);
      return pairs.find((pair) => pair.startsWith(`${start}=`))?.slice(start.length + 1);
    },
  };
}
