import type { NewUser } from '@interview-prep/contracts/auth/user-management';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Response } from 'express';
import type { Auth } from '../auth.ts';
import { presentUser } from '../users/present-user.ts';

/** For what writes an email. @throws HttpError 409 where it has a user already, otherwise the error */
export function refuseDouble(error: unknown): never {
  throw isDuplicateKey(error) ? conflict('User already exists') : error;
}

/**
 * Creates a user; without a password they are invited.
 * @throws HttpError 400 for an unknown technology or a weak password, 409 where the email has a user already
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
