import { type Model, trusted } from 'mongoose';

/** A document that anyone can create, stored until it is used or expires: a passkey challenge, or a sign-in at a provider. */
interface Unused {
  _id: string;
  /** The signed-in user who requested it; null for a visitor. */
  userId: string | null;
  expiresAt: Date;
}

/** The most for all visitors together. People take seconds, so the oldest of so many are abandoned. */
export const unusedOfVisitorsMax = 10_000;

/** The most per signed-in user. Visitors can't push these out. */
const unusedOfUserMax = 20;

/**
 * Deletes the oldest if there are too many. This avoids a limit by address, which one client could exhaust for everyone behind
 * the same proxy.
 */
export async function dropOldest<Stored extends Unused>(model: Model<Stored>, userId: string | null): Promise<void> {
  const max = userId === null ? unusedOfVisitorsMax : unusedOfUserMax;
  const surplus = (await model.countDocuments({ userId })) - max;
  if (surplus <= 0) return;
  const oldest = await model.find({ userId }, '_id').sort({ expiresAt: 1 }).limit(surplus).lean<Unused[]>();
  await model.deleteMany({ _id: trusted({ $in: oldest.map(({ _id }) => _id) }) });
}
