import { type Model, trusted } from 'mongoose';

/** Anyone may have these stored until they are used or expire: passkey challenges, and sign-ins at a provider. */
interface Unused {
  _id: string;
  /** The signed-in user who asked for it; null for a visitor. */
  userId: string | null;
  expiresAt: Date;
}

/** How many of them visitors have together. A person takes seconds, so the oldest of so many are abandoned. */
export const unusedOfVisitorsMax = 10_000;

/** The most per signed-in user. Visitors can't push these out. */
const unusedOfUserMax = 20;

/**
 * Deletes the oldest where there are too many. Requests for a challenge need no limit by address then, which one client could
 * use up for everyone behind the same proxy.
 */
export async function dropOldest<Stored extends Unused>(model: Model<Stored>, userId: string | null): Promise<void> {
  const max = userId === null ? unusedOfVisitorsMax : unusedOfUserMax;
  const surplus = (await model.countDocuments({ userId })) - max;
  if (surplus <= 0) return;
  const oldest = await model.find({ userId }, '_id').sort({ expiresAt: 1 }).limit(surplus).lean<Unused[]>();
  await model.deleteMany({ _id: trusted({ $in: oldest.map(({ _id }) => _id) }) });
}
