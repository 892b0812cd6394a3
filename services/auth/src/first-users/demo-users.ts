import type { Role } from '@interview-prep/contracts/auth/users';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { type Connection, Schema } from 'mongoose';
import type { Auth } from '../auth.ts';

const demoUsers: readonly { email: string; role: Role; technologies: string[] }[] = [
  { email: 'admin@example.com', role: 'admin', technologies: [] },
  { email: 'dev@example.com', role: 'dev', technologies: ['javascript', 'react'] },
  { email: 'candidate@example.com', role: 'others', technologies: [] },
];

/** A demonstration user that was created once. It is never created again, even after it was deleted. */
interface MadeUser {
  /** The email. */
  _id: string;
}

const schema = new Schema<MadeUser>({ _id: { type: String, required: true } }, { collection: 'seeds' });

/**
 * Creates the demonstration users that were never created before. An existing user with the same email is not changed.
 * @returns the emails that can sign in with `password`: not those of deleted users, or with another password
 */
export async function makeDemoUsers(
  connection: Connection,
  { users, passwords }: Pick<Auth, 'users' | 'passwords'>,
  password: string,
): Promise<string[]> {
  const made = connection.model<MadeUser>('Seed', schema);
  for (const user of demoUsers) {
    if (await made.exists({ _id: user.email })) continue;
    await users.create({ ...user, passwordHash: await passwords.hash(password) }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    await upsertById(() => made.updateOne({ _id: user.email }, {}, { upsert: true }));
  }
  const emails = demoUsers.map(({ email }) => email);
  const opened = await Promise.all(
    emails.map(async (email) => {
      const user = await users.findOne({ email, deletedAt: null }, 'passwordHash').lean();
      return passwords.verify(user?.passwordHash, password);
    }),
  );
  return emails.filter((_, index) => opened[index]);
}
