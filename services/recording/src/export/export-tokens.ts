import { createSecretKey } from 'node:crypto';
import { LinkSignIn, type SignIn } from '@interview-prep/kit/media-tokens';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from '@interview-prep/kit/signed-token';
import { z } from 'zod';

const exportTokenProfile = {
  algorithm: 'HS256',
  type: 'export+jwt',
  issuer: 'interview-prep/export-links',
  audience: 'interview-prep/export',
} as const satisfies TokenProfile;

/** A browser follows the link at once. */
const lifetimeSeconds = 60;

const ExportClaims = z.object({ sub: z.string(), jti: z.string(), signIn: LinkSignIn });

/** Signs and verifies the short-lived link that downloads one user's data. */
export interface ExportTokens {
  /** The path of the download, with its token. @param accountId where the account's data is kept @param signIn of who asks */
  urlOf(userId: string, accountId: string, signIn: SignIn): string;
  /** What a token is for; null for an invalid or expired token. The caller checks that the sign-in has not ended. */
  exportOf(token: string): { userId: string; accountId: string; signIn: SignIn } | null;
}

/** Tokens of a secret of 32 characters or more. A media token of the same secret is of another kind, and refused. */
export function createExportTokens(secret: string): ExportTokens {
  const key = createSecretKey(secret, 'utf8');
  return {
    urlOf(userId, accountId, { sub, jti, kid, idle, iat: signedInAt }) {
      const iat = Math.floor(Date.now() / 1000);
      const token = signToken(exportTokenProfile, key, {
        sub: userId,
        jti: accountId,
        iat,
        exp: iat + lifetimeSeconds,
        signIn: { sub, jti, kid, idle, iat: signedInAt },
      });
      return `/api/recordings/export/${userId}?token=${token}`;
    },
    exportOf(token) {
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
