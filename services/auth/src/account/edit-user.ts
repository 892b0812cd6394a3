import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { requireVersion, withRetries } from '@interview-prep/kit/http/edit-version';
import { notFound } from '@interview-prep/kit/http/http-error';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import type { Request } from 'express';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { UserDocument, UserRecord } from '../users/model.ts';
import { editedFields } from '../users/present-user.ts';

interface UserChange {
  set: Partial<UserRecord>;
  unset?: Partial<Record<keyof UserRecord, 1>>;
}

/**
 * Writes and publishes an edit of some fields of a user.
 * @param change what to write, given the stored user; called again if another edit was faster
 * @throws HttpError 404, or 409 if a replaced field has changed since the If-Match version
 */
export async function editUser(
  { users, outbox }: Pick<Auth, 'users' | 'outbox'>,
  { params, req, user }: { params: { id: string }; req: Request; user: Pick<TokenClaims, 'sub'> },
  replaced: readonly (keyof ReturnType<typeof editedFields>)[],
  change: (before: UserRecord) => UserChange,
): Promise<UserDocument> {
  const changed = await withRetries<UserDocument>(async () => {
    const before = await users.findOne({ _id: params.id, deletedAt: null }).lean();
    if (!before) throw notFound('User not found');
    const { edited, updatedAt, technologies, role, email, name, suspendedAt } = before;
    const editor = edited && (await users.findOne({ _id: edited.by, deletedAt: null }, 'email').lean());
    const last = { by: editor?.email ?? null, at: edited?.at ?? updatedAt };
    requireVersion(req, editedFields(before), last, replaced);
    const { set, unset = {} } = change(before);
    const absent = trusted({ $exists: false });
    return users.findOneAndUpdate(
      // The fields that the version covers must be unchanged; the array is compared as a whole.
      {
        _id: before._id,
        deletedAt: null,
        technologies,
        role,
        email,
        name: name ?? absent,
        suspendedAt: suspendedAt ?? absent,
      },
      {
        $inc: bumpRevision.$inc,
        $set: { ...bumpRevision.$set, ...set, edited: { by: user.sub, at: new Date() } },
        ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
      },
      { returnDocument: 'after' },
    );
  });
  await outbox.publish(changed);
  return changed;
}
