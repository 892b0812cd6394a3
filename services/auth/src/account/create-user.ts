import type { ImportedPerson, ImportedUser, NewUser } from '@interview-prep/contracts/auth/user-management';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Response } from 'express';
import type { Auth } from '../auth.ts';
import { presentUser } from '../users/present-user.ts';

/** Rethrows an error from storing a user. @throws HttpError 409 for a duplicate email, otherwise the error */
export function refuseDouble(error: unknown): never {
  throw isDuplicateKey(error) ? conflict('User already exists') : error;
}

/**
 * Creates a user; without a password they are invited.
 * @throws HttpError 400 for an unknown technology or a weak password, 409 if the email is already taken
 */
export async function createUser(
  { users, outbox, passwords, passwordPolicy, passwordLinks, technologies }: Auth,
  { email, name, role, password, technologies: given }: Omit<NewUser, 'name'> & Partial<Pick<NewUser, 'name'>>,
  res: Response,
) {
  const slugs = [...new Set(given)];
  await technologies.require(slugs);
  if (password !== undefined) await passwordPolicy.require(password, { email }, 'password');
  const hashed = password === undefined ? {} : { passwordHash: await passwords.hash(password) };
  const fields = { email, ...(name ? { name } : {}), ...hashed, role, technologies: slugs };
  const user = await users.create(fields).catch(refuseDouble);
  addToAudit(res, { target: `user:${user._id}`, details: { role } });
  await outbox.publish(user);
  const invited = password === undefined ? { passwordLink: await passwordLinks.send(user) } : {};
  return { user: presentUser(user), ...invited };
}

/** Creates the listed users who don't exist yet, one at a time. If one fails, those created before it stay. */
export async function importUsers(
  { users, outbox, passwordLinks }: Auth,
  { people, invite }: { people: readonly ImportedPerson[]; invite: boolean },
  res: Response,
): Promise<ImportedUser[]> {
  const imported: ImportedUser[] = [];
  for (const { email, name, role } of people) {
    const before = await users.findOne({ email, deletedAt: null }, '_id').lean();
    if (before) {
      imported.push({ id: String(before._id), email, isNew: false });
      continue;
    }
    const user = await users.create({ email, ...(name ? { name } : {}), role, technologies: [] }).catch(refuseDouble);
    await outbox.publish(user);
    const invited = invite ? { passwordLink: await passwordLinks.send(user) } : {};
    imported.push({ id: String(user._id), email, isNew: true, ...invited });
    const created = imported.filter(({ isNew }) => isNew).length;
    addToAudit(res, { details: { created } });
  }
  return imported;
}
