import type { DeletionTarget } from '@interview-prep/contracts/recording/deletions';
import type { FollowUp } from '@interview-prep/contracts/recording/follow-ups';
import { openRedis } from '@interview-prep/kit/redis/redis';
import { BSON, type Db } from 'mongodb';
import type { Installation } from '../backup/installation.ts';

interface DeletionRecord {
  _id: string;
  target: DeletionTarget;
}

/** Traces of a deletion target in the services' databases. */
async function* inMongo({ mongo, databaseName }: Installation, target: DeletionTarget): AsyncGenerator<string> {
  const [recording, history, auth] = (['recording', 'history', 'auth'] as const).map((name) =>
    mongo.db(databaseName(name)),
  );
  if (!recording || !history || !auth) return;
  if (target.kind === 'answer') {
    const _id = new BSON.ObjectId(target.recordingId);
    if (await recording.collection('recordings').findOne({ _id })) yield `recording.recordings ${_id}`;
    const shown = { _id, deleted: { $ne: true } };
    if (await history.collection('recordings').findOne(shown)) yield `history.recordings ${_id}`;
    for (const database of [recording, history]) yield* followUpWords(database, target);
    return;
  }
  const filter = target.kind === 'user' ? { userId: target.userId } : { sessionId: target.sessionId };
  for await (const { _id } of recording.collection('recordings').find(filter)) yield `recording.recordings ${_id}`;
  for await (const { _id } of recording.collection('sessions').find(filter)) yield `recording.sessions ${_id}`;
  for await (const { _id } of history.collection('sessions').find(filter)) yield `history.sessions ${_id}`;
  if (target.kind !== 'user') return;
  for await (const { _id } of history.collection('totals').find(filter)) yield `history.totals ${_id}`;
  for await (const { _id } of history.collection('answeredQuestions').find(filter)) {
    yield `history.answeredQuestions ${_id}`;
  }
  const signedIn = { userId: new BSON.ObjectId(target.userId) };
  for await (const { _id } of auth.collection('sign_ins').find(signedIn)) yield `auth.sign_ins ${_id}`;
  for await (const { _id } of auth.collection('groups').find({ 'people.userId': target.userId })) {
    yield `auth.groups ${_id}`;
  }
  const { userId } = target;
  const named = { $or: [{ memberIds: userId }, { 'extensions.userId': userId }, { 'reminders.userId': userId }] };
  for await (const { _id } of recording.collection('assignments').find(named)) {
    yield `recording.assignments ${_id}`;
  }
  const users = auth
    .collection<{ _id: unknown; deletedAt: Date | null; draftKey?: string }>('users')
    .find({ $or: [{ deletedAt: null }, { draftKey: { $exists: true } }] });
  for await (const { _id } of users) if (String(_id) === target.userId) yield `auth.users ${_id}`;
}

/** The words of a follow-up question to a deleted answer. */
async function* followUpWords(
  database: Db,
  { sessionId, questionId }: Extract<DeletionTarget, { kind: 'answer' }>,
): AsyncGenerator<string> {
  const sessions = database.collection<{ questions: string[]; followUps?: FollowUp[] }>('sessions');
  const session = await sessions.findOne({ sessionId });
  const followUp = session?.followUps?.find(({ parentQuestionId }) => parentQuestionId === questionId);
  if (followUp && session?.questions[followUp.questionId] !== '') {
    yield `${database.databaseName}.sessions ${session?._id}`;
  }
}

/** Orphaned data: history entries and review states without a session, and objects without a recording. */
async function* orphans({ mongo, databaseName, objects, bucket }: Installation): AsyncGenerator<string> {
  const history = mongo.db(databaseName('history'));
  for await (const { _id, entryId } of history.collection('recordings').find({}, { projection: { entryId: 1 } })) {
    if (!(await history.collection('sessions').findOne({ _id: entryId }))) yield `history.recordings ${_id}`;
  }
  for await (const { _id, entryId } of history.collection('answeredQuestions').find({})) {
    const owned = { entryId, deleted: { $ne: true } };
    if (!(await history.collection('recordings').findOne(owned))) yield `history.answeredQuestions ${_id}`;
  }
  const recordings = mongo.db(databaseName('recording')).collection('recordings');
  for await (const { name } of objects.listObjectsV2(bucket, '', true)) {
    // Retention may have deleted only the media.
    const owner = await recordings.findOne({ sessionId: name.split('/')[1], ...named(name), mediaDeletion: null });
    if (!owner) yield `object ${name}`;
  }
}

/** The query for an object's recording. Keys are `recordings/SESSION/QUESTION-SHA256.…` */
function named(key: string) {
  const [, question = '', sha256 = ''] = /\/(\d+)-([0-9a-f]{64})[^/]*$/.exec(key) ?? [];
  return { questionId: Number(question), sha256 };
}

/** Jobs that may refer to deleted data. */
const namingEvents = new Set(['deleted', 'user-changed', 'audit-event']);

/** Jobs that contain one of these ids. */
async function* inRedis({ redisUrl, redisPrefix }: Installation, ids: readonly string[]): AsyncGenerator<string> {
  const redis = openRedis(redisUrl, {});
  try {
    for await (const keys of redis.scanStream({ match: `${redisPrefix}:*`, type: 'hash', count: 500 })) {
      for (const key of keys as string[]) {
        const { name, data = '' } = await redis.hgetall(key);
        // Events about the deletion, and of the audit log, refer to their target.
        if (!namingEvents.has(name ?? '') && ids.some((id) => data.includes(id))) yield `queue ${key}`;
      }
    }
  } finally {
    redis.disconnect();
  }
}

/**
 * Searches every store for traces of deleted data.
 * @returns a line for each trace: the store and the id
 */
export async function findRemains(installation: Installation): Promise<{ deletions: number; remains: string[] }> {
  const { mongo, databaseName } = installation;
  const log = mongo.db(databaseName('recording')).collection<DeletionRecord>('deletions');
  const remains: string[] = [];
  const ids: string[] = [];
  for await (const { target } of log.find()) {
    if (target.kind !== 'answer') ids.push(target.kind === 'user' ? target.userId : target.sessionId);
    for await (const remain of inMongo(installation, target)) remains.push(remain);
  }
  const erased = mongo.db(databaseName('auth')).collection('users').find({ eraseData: true });
  for await (const { _id } of erased) {
    for await (const remain of inMongo(installation, { kind: 'user', userId: String(_id) })) remains.push(remain);
  }
  for await (const remain of orphans(installation)) remains.push(remain);
  for await (const remain of inRedis(installation, ids)) remains.push(remain);
  return { deletions: await log.countDocuments(), remains: [...new Set(remains)] };
}
