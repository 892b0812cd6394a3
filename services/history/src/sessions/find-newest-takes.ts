import { trusted } from 'mongoose';
import { type HistoryModels, newestTakes, type RecordingEntry, type SessionEntry } from '../projection/model.ts';

/** The newest take of each of a session's questions, in their order. However many older takes there are, none is read. */
export async function findNewestTakes(
  session: Pick<SessionEntry, '_id' | 'newestTakes'>,
  { recordings }: HistoryModels,
): Promise<RecordingEntry[]> {
  const wanted = session.newestTakes ? { _id: trusted({ $in: session.newestTakes }) } : { entryId: session._id };
  const takes = await recordings.find({ ...wanted, deleted: trusted({ $ne: true }) }).lean();
  return newestTakes(takes);
}
