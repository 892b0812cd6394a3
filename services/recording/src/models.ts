import { knownGroups } from '@interview-prep/kit/mongo/known-groups';
import type { Connection } from 'mongoose';
import { type StoredUpload, uploadSchema } from './answer-parts/model.ts';
import { assignmentSchema, type StoredAssignment } from './assignments/model.ts';
import { type CalendarFeed, calendarFeedSchema } from './calendar/model.ts';
import { calibrationSchema, type StoredCalibration } from './calibration/model.ts';
import { type Deletion, deletionSchema } from './deletions/model.ts';
import { type Recording, recordingSchema } from './recordings/model.ts';
import { type StoredSnippets, snippetsSchema } from './reviews/snippet-model.ts';
import { type Session, sessionSchema } from './sessions/model.ts';
import { type SetCopy, setCopySchema } from './sets/model.ts';
import { type SetRevision, setRevisionSchema } from './sets/set-revision.ts';
import { type ShareLink, shareLinkSchema } from './shares/model.ts';
import { type DeletedUser, deletedUserSchema } from './users/model.ts';

export type RecordingModels = ReturnType<typeof recordingModels>;

export function recordingModels(connection: Connection) {
  return {
    sets: connection.model<SetCopy>('Set', setCopySchema),
    setRevisions: connection.model<SetRevision>('SetRevision', setRevisionSchema),
    sessions: connection.model<Session>('Session', sessionSchema),
    recordings: connection.model<Recording>('Recording', recordingSchema),
    uploads: connection.model<StoredUpload>('Upload', uploadSchema),
    deletions: connection.model<Deletion>('Deletion', deletionSchema),
    calibrations: connection.model<StoredCalibration>('Calibration', calibrationSchema),
    shares: connection.model<ShareLink>('Share', shareLinkSchema),
    deletedUsers: connection.model<DeletedUser>('DeletedUser', deletedUserSchema),
    groups: knownGroups(connection),
    assignments: connection.model<StoredAssignment>('Assignment', assignmentSchema),
    calendarFeeds: connection.model<CalendarFeed>('CalendarFeed', calendarFeedSchema),
    reviewSnippets: connection.model<StoredSnippets>('ReviewSnippets', snippetsSchema),
  };
}
