import { createSecretKey } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { createHostCookie, type HostCookie } from '../http/host-cookie.ts';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from './signed-token.ts';

/** The profile of the token in a media URL. */
export const mediaTokenProfile = {
  algorithm: 'HS256',
  type: 'media+jwt',
  issuer: 'interview-prep/media-links',
  audience: 'interview-prep/media',
} as const satisfies TokenProfile;

const lifetimeSeconds = 6 * 3600;

/** When a media link created now expires, given the end of its sign-in. Both in seconds since 1970. */
export function mediaLinkEnd(signedInUntil: number): number {
  return Math.min(Math.floor(Date.now() / 1000) + lifetimeSeconds, Math.ceil(signedInUntil));
}

/** The sign-in that a link belongs to, and ends with. */
export type SignIn = Pick<TokenClaims, 'sub' | 'jti' | 'iat' | 'kid' | 'idle'>;

/** A recording that may be played, and the sign-in that authorizes it. */
export interface MediaLink {
  recordingId: string;
  signIn: SignIn;
}

/** The sign-in in a link's claims. */
export const LinkSignIn = z.object({
  sub: z.string(),
  jti: z.string(),
  iat: z.number(),
  kid: z.string().optional(),
  idle: z.number().optional(),
});

/** The claims of a media token; its subject is the recording. */
const LinkClaims = z.object({ sub: z.string(), signIn: LinkSignIn });

/** Signs and verifies short-lived tokens that let a player fetch one recording's media. */
export interface MediaTokens {
  /** The path of the recording's media, with a token. @param signIn the claims of the user who will play it */
  urlOf(recordingId: string, signIn: SignIn & Pick<TokenClaims, 'exp'>): string;
  /** A token's permissions; null for an invalid or expired token. The caller checks that the sign-in has not been revoked. */
  linkOf(token: string): MediaLink | null;
}

export function createMediaTokens(secret: string): MediaTokens {
  const key = createSecretKey(secret, 'utf8');
  return {
    urlOf(recordingId, claims) {
      const iat = Math.floor(Date.now() / 1000);
      const exp = mediaLinkEnd(claims.exp);
      const token = signToken(mediaTokenProfile, key, { sub: recordingId, iat, exp, signIn: LinkSignIn.parse(claims) });
      return `/api/media/${recordingId}?token=${token}`;
    },
    linkOf(token) {
      try {
        const claims = LinkClaims.safeParse(verifyToken(mediaTokenProfile, key, token));
        // Reject links from earlier releases, which do not end with a sign-in.
        return claims.success ? { recordingId: claims.data.sub, signIn: claims.data.signIn } : null;
      } catch (error) {
        if (error instanceof InvalidToken) return null;
        throw error;
      }
    },
  };
}

/** The profile of the token in the cookie. */
export const mediaCookieProfile = {
  algorithm: 'HS256',
  type: 'media-cookie+jwt',
  issuer: 'interview-prep/media-cookie',
  audience: 'interview-prep/media',
} as const satisfies TokenProfile;

/** Browsers reject a cookie of more than 4096 bytes, including its name and attributes. */
const valueLengthMax = 3800;
/** How many recordings of one API response fit into the cookie. */
const idsPerGrant = 140;

/** Recordings that one API response allowed the browser to play, until `exp` (seconds since 1970). */
interface Grant {
  signIn: SignIn;
  exp: number;
  recordingIds: string[];
}

/** `by` is the index of the sign-in; `ids` are recordings of 12 bytes each, in base64url. */
const CookieClaims = z.object({
  signIns: z.array(LinkSignIn),
  grants: z.array(z.object({ by: z.number().int().nonnegative(), exp: z.number(), ids: z.string() })),
});

/** Lets a browser play media without a token in the URL: players can send cookies, but no headers. */
export interface MediaCookie {
  /**
   * Allows the browser to play more recordings, for as long as a link to them lasts. If the cookie is full, the oldest are
   * dropped.
   * @param signIn the claims of the user who may play them
   */
  allow(call: { req: Request; res: Response }, recordingIds: readonly string[], signIn: Viewer): void;
  /** The sign-in that authorizes the browser to play a recording; null if it may not. The caller checks that it is still active. */
  linkOf(req: Request, recordingId: string): MediaLink | null;
}

/** The cookie by itself, for services that only clear it. */
export function mediaHostCookie(publicUrl: string): HostCookie {
  return createHostCookie('media', publicUrl);
}

type Viewer = SignIn & Pick<TokenClaims, 'exp'>;

const packIds = (ids: readonly string[]) => Buffer.from(ids.join(''), 'hex').toString('base64url');
const unpackIds = (packed: string) => Buffer.from(packed, 'base64url').toString('hex').match(/.{24}/g) ?? [];
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** @param secret at least 32 characters. @param publicUrl the product's address for its users */
export function createMediaCookie(secret: string, publicUrl: string): MediaCookie {
  const key = createSecretKey(secret, 'utf8');
  const cookie = mediaHostCookie(publicUrl);

  /** The grants in a request's cookie, newest first. */
  const grantsIn = (req: Request): Grant[] => {
    const value = cookie.read(req);
    if (value === undefined) return [];
    try {
      const { data } = CookieClaims.safeParse(verifyToken(mediaCookieProfile, key, value));
      return (data?.grants ?? []).flatMap(({ by, exp, ids }) => {
        const signIn = data?.signIns[by];
        return signIn && exp > nowSeconds() ? [{ signIn, exp, recordingIds: unpackIds(ids) }] : [];
      });
    } catch (error) {
      if (error instanceof InvalidToken) return [];
      throw error;
    }
  };

  const sign = (grants: readonly Grant[], exp: number): string => {
    const signIns = [...new Map(grants.map(({ signIn }) => [signIn.jti, signIn])).values()];
    const packed = grants.map(({ signIn, exp: until, recordingIds }) => ({
      by: signIns.findIndex(({ jti }) => jti === signIn.jti),
      exp: until,
      ids: packIds(recordingIds),
    }));
    return signToken(mediaCookieProfile, key, { sub: 'media', iat: nowSeconds(), exp, signIns, grants: packed });
  };

  return {
    allow({ req, res }, recordingIds, viewer) {
      const given = recordingIds.slice(0, idsPerGrant).map((id) => id.toLowerCase());
      if (given.length === 0) return;
      const older = grantsIn(req).map((grant) => ({
        ...grant,
        recordingIds: grant.recordingIds.filter((id) => !given.includes(id)),
      }));
      const grant = { signIn: LinkSignIn.parse(viewer), exp: mediaLinkEnd(viewer.exp), recordingIds: given };
      const grants = [grant, ...older.filter((each) => each.recordingIds.length > 0)];
      const end = Math.max(...grants.map(({ exp }) => exp));
      let value = sign(grants, end);
      while (value.length > valueLengthMax && grants.length > 1) {
        grants.pop();
        value = sign(grants, end);
      }
      cookie.set(res, value, end - nowSeconds());
    },
    linkOf(req, recordingId) {
      const id = recordingId.toLowerCase();
      const grant = grantsIn(req).find(({ recordingIds }) => recordingIds.includes(id));
      return grant ? { recordingId: id, signIn: grant.signIn } : null;
    },
  };
}
