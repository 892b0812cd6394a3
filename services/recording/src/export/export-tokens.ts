import { createSecretKey } from 'node:crypto';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from '@interview-prep/kit/signed-token';

const exportTokenProfile = {
  algorithm: 'HS256',
  type: 'export+jwt',
  issuer: 'interview-prep/export-links',
  audience: 'interview-prep/export',
} as const satisfies TokenProfile;

/** A browser follows the link at once. */
const lifetimeSeconds = 60;

/** Signs and verifies the short-lived link that downloads one user's data. */
export interface ExportTokens {
  /** The path of the download, with its token. @param accountId where the account's data is kept */
  urlOf(userId: string, accountId: string): string;
  /** The user that a token is for; null for an invalid or expired token. */
  exportOf(token: string): { userId: string; accountId: string } | null;
}

/** Tokens of a secret of 32 characters or more. A media token of the same secret is of another kind, and refused. */
export function createExportTokens(secret: string): ExportTokens {
  const key = createSecretKey(secret, 'utf8');
  return {
    urlOf(userId, accountId) {
      const iat = Math.floor(Date.now() / 1000);
      const token = signToken(exportTokenProfile, key, {
        sub: userId,
        jti: accountId,
        iat,
        exp: iat + lifetimeSeconds,
      });
      return `/api/recordings/export/${userId}?token=${token}`;
    },
    exportOf(token) {
      try {
        const { sub, jti } = verifyToken(exportTokenProfile, key, token);
        return sub === undefined || jti === undefined ? null : { userId: sub, accountId: jti };
      } catch (error) {
        if (error instanceof InvalidToken) return null;
        throw error;
      }
    },
  };
}
