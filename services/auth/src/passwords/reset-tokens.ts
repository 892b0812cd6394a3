import { createHash, randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import type { UserModel } from '../users/model.ts';

/** A token has 256 random bits: its plain SHA-256 gives nothing away. */
export const resetTokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Makes a user's reset token and keeps its hash; the one before it works no more. */
export async function makeResetToken(users: UserModel, userId: Types.ObjectId, lifetimeMs: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const reset = { tokenHash: resetTokenHash(token), expiresAt: new Date(Date.now() + lifetimeMs) };
  await users.updateOne({ _id: userId, deletedAt: null }, { $set: { reset } });
  return token;
}

/** The page on which the token is used. */
export const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset-password?token=${token}`;
