import { createSecretKey } from 'node:crypto';
import { createHostCookie } from '@interview-prep/kit/http/host-cookie';
import { LinkSignIn, type SignIn } from '@interview-prep/kit/tokens/media-tokens';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from '@interview-prep/kit/tokens/signed-token';
import type { Request, Response } from 'express';
import { z } from 'zod';

const exportTokenProfile = {
  algorithm: 'HS256',
  type: 'export+jwt',
  issuer: 'interview-prep/export-links',
  audience: 'interview-prep/export',
} as const satisfies TokenProfile;

/** Short, since a browser follows the link immediately. */
const lifetimeSeconds = 60;

const ExportClaims = z.object({ sub: z.string(), jti: z.string(), signIn: LinkSignIn });

/** A download that a browser may fetch. `accountId`: id of the stored account data. `signIn`: the requester's. */
interface AllowedExport {
  userId: string;
  accountId: string;
  signIn: SignIn;
}

/** Lets a browser download one user's data for a minute. A cookie, because browsers send no custom headers with downloads. */
export interface ExportCookie {
  /** @returns the path of the download */
  allow(res: Response, allowed: AllowedExport): string;
  /** The download that the request's cookie allows; null without a valid cookie. The caller checks that the sign-in is still active. */
  allowedIn(req: Request): AllowedExport | null;
}

/**
 * A cookie signed with a secret of at least 32 characters. Media tokens signed with the same secret are rejected.
 * @param publicUrl the product's public address
 */
export function createExportCookie(secret: string, publicUrl: string): ExportCookie {
  const key = createSecretKey(secret, 'utf8');
  const cookie = createHostCookie('export', publicUrl);
  return {
    allow(res, { userId, accountId, signIn }) {
      const iat = Math.floor(Date.now() / 1000);
      const token = signToken(exportTokenProfile, key, {
        sub: userId,
        jti: accountId,
        iat,
        exp: iat + lifetimeSeconds,
        signIn: LinkSignIn.parse(signIn),
      });
      cookie.set(res, token, lifetimeSeconds);
      return `/api/recordings/export/${userId}`;
    },
    allowedIn(req) {
      const token = cookie.read(req);
      if (token === undefined) return null;
      try {
        const { data } = ExportClaims.safeParse(verifyToken(exportTokenProfile, key, token));
        return data ? { userId: data.sub, accountId: data.jti, signIn: data.signIn } : null;
      } catch (error) {
        if (error instanceof InvalidToken) return null;
        throw error;
      }
    },
  };
}
