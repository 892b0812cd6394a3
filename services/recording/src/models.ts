import type { Connection, Model } from 'mongoose';
import { type Recording, recordingSchema } from './recordings/model.ts';
import { type Session, sessionSchema } from './sessions/model.ts';
import { type FormerSet, formerSetSchema } from './sets/former-set.ts';
import { type SetCopy, setCopySchema } from './sets/model.ts';
import { type DeletedUser, deletedUserSchema } from './users/model.ts';

/** The collections of the recording database. */
export interface RecordingModels {
  sets: Model<SetCopy>;
  formerSets: Model<FormerSet>;
  sessions: Model<Session>;
  recordings: Model<Recording>;
  deletedUsers: Model<DeletedUser>;
}

export const recordingModels = (connection: Connection): RecordingModels => ({
  sets: connection.model<SetCopy>('Set', setCopySchema),
  formerSets: connection.model<FormerSet>('FormerSet', formerSetSchema),
  sessions: connection.model<Session>('Session', sessionSchema),
  recordings: connection.model<Recording>('Recording', recordingSchema),
  deletedUsers: connection.model<DeletedUser>('DeletedUser', deletedUserSchema),
});
