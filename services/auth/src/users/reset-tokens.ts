import { createHash, randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import type { UserModel } from './model.ts';

/** A plain SHA-256 suffices: a token has 256 random bits. */
export function resetTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Creates a user's reset token and stores its hash. The previous token stops working. */
export async function makeResetToken(users: UserModel, userId: Types.ObjectId, lifetimeMs: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const reset = { tokenHash: resetTokenHash(token), expiresAt: new Date(Date.now() + lifetimeMs) };
  await users.updateOne({ _id: userId, deletedAt: null }, { $set: { reset } });
  return token;
}

/** The URL of the page that uses the token. Invited users get a welcome. */
export function passwordLinkUrl(publicUrl: string, token: string, isInvitation: boolean): string {
  return `${resetLink(publicUrl, token)}${isInvitation ? '&invited=yes' : ''}`;
}

/** The URL of the page that uses the token. The token is in the fragment, which browsers don't send to servers. */
export function resetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/reset-password#token=${token}`;
}
