import { type QueueName, queues } from '@interview-prep/contracts/events/jobs';
import { createJobProducer } from '@interview-prep/kit/redis/job-queues';
import { openRedis } from '@interview-prep/kit/redis/redis';
import { s3Address } from '@interview-prep/kit/s3-address';
import type { BackingSettings } from '@interview-prep/local/backing-services';
import { Client as S3Client } from 'minio';
import { MongoClient, ObjectId } from 'mongodb';

/** The compared fields of a recording, as the recording service stores it. */
export interface StoredRecording {
  id: string;
  sessionId: string;
  entryId: string;
  questionId: number;
  take: number;
  sha256: string;
  revision: number;
  /** The stage that it waits for; undefined once processed. */
  awaiting: string | undefined;
  isUnpublished: boolean;
  objectKeys: string[];
  originalKey: string;
  stage: string;
  stageStatus: string;
  transcriptionStatus: string;
}

/** A recording as history shows it. */
export interface ShownRecording {
  id: string;
  entryId: string;
  revision: number;
  take: number;
  stage: string;
  stageStatus: string;
  transcriptionStatus: string;
}

/** A session as history shows it. */
export interface ShownSession {
  id: string;
  sessionId: string;
  answeredCount: number;
  pendingCount: number;
  listKind: string | null;
  userId: string;
  technology: string;
}

/** Direct access to the product's stores, bypassing the API. */
export interface Stores {
  recordings(ids?: readonly string[]): Promise<StoredRecording[]>;
  shownRecordings(ids?: readonly string[]): Promise<ShownRecording[]>;
  shownSessions(): Promise<ShownSession[]>;
  /** Sessions in the recording service: the entry id and the browser's id. */
  sessions(): Promise<{ id: string; sessionId: string }[]>;
  /** History's totals for each list, user and technology. */
  totals(): Promise<{ id: string; count: number }[]>;
  /** The edited set in catalog, and recording's copy of it. */
  setTitles(setId: string): Promise<{ catalog: string | undefined; copy: string | undefined }>;
  /** Objects by key, with the MD5 of their content. */
  objects(): Promise<Map<string, string>>;
  /** The key prefixes of parts that may still exist: of incomplete answers, or about to be deleted. */
  partPrefixes(): Promise<string[]>;
  /** Waiting, active and delayed jobs, by queue. */
  queuedJobs(): Promise<{ queue: QueueName; id: string }[]>;
  close(): Promise<void>;
}

const BUCKET = 'recordings';
const REDIS_PREFIX = 'interview-prep';

/** Opens the stores directly, not through the proxies. */
export async function openStores(backing: BackingSettings): Promise<Stores> {
  const mongo = await MongoClient.connect(backing.MONGODB_URI, { serverSelectionTimeoutMS: 5000 });
  const redis = openRedis(backing.REDIS_URL, { maxRetriesPerRequest: 2 });
  redis.on('error', () => undefined);
  const jobs = createJobProducer(redis, REDIS_PREFIX);
  const s3 = new S3Client({
    ...s3Address(backing.S3_ENDPOINT),
    accessKey: backing.S3_ACCESS_KEY,
    secretKey: backing.S3_SECRET_KEY,
    region: backing.S3_REGION,
  });
  const collection = (database: string, name: string) => mongo.db(database).collection(name);
  const filterOf = (ids: readonly string[] | undefined) => {
    return ids ? { _id: { $in: ids.map((id) => new ObjectId(id)) } } : {};
  };

  return {
    async recordings(ids) {
      const found = await collection('recording', 'recordings').find(filterOf(ids)).toArray();
      return found.map((recording) => ({
        id: String(recording._id),
        sessionId: recording.sessionId,
        entryId: String(recording.session),
        questionId: recording.questionId,
        take: recording.take,
        sha256: recording.sha256,
        revision: recording.revision,
        awaiting: recording.awaiting,
        isUnpublished: recording.unpublished === true,
        originalKey: recording.original.key,
        objectKeys: [recording.original.key, ...(recording.playback ? [recording.playback.key] : [])],
        stage: recording.stage,
        stageStatus: recording.stageStatus,
        transcriptionStatus: recording.transcription.status,
      }));
    },
    async shownRecordings(ids) {
      const found = await collection('history', 'recordings').find(filterOf(ids)).toArray();
      return found.map(({ _id, entryId, revision, take, snapshot }) => ({
        id: String(_id),
        entryId: String(entryId),
        revision,
        take,
        stage: snapshot.stage,
        stageStatus: snapshot.stageStatus,
        transcriptionStatus: snapshot.transcription.status,
      }));
    },
    async shownSessions() {
      const found = await collection('history', 'sessions').find().toArray();
      return found.map(({ _id, sessionId, answeredCount, pendingCount, listKind, userId, technology }) => ({
        id: String(_id),
        sessionId,
        answeredCount,
        pendingCount,
        listKind,
        userId,
        technology,
      }));
    },
    async sessions() {
      const found = await collection('recording', 'sessions').find().toArray();
      return found.map(({ _id, sessionId }) => ({ id: String(_id), sessionId }));
    },
    async totals() {
      const found = await collection('history', 'totals').find().toArray();
      return found.map(({ _id, count }) => ({ id: String(_id), count }));
    },
    async setTitles(setId) {
      const filter = filterOf([setId]);
      const [original, copy] = await Promise.all([
        collection('catalog', 'sets').findOne(filter),
        mongo.db('recording').collection<{ _id: string; title: string }>('sets').findOne({ _id: setId }),
      ]);
      return { catalog: original?.title, copy: copy?.title };
    },
    async objects() {
      const objects = new Map<string, string>();
      for await (const { name, etag } of s3.listObjectsV2(BUCKET, '', true)) {
        objects.set(String(name), String(etag).replaceAll('"', ''));
      }
      return objects;
    },
    async partPrefixes() {
      const left = { $or: [{ endedAt: null }, { removePartsAt: { $ne: null } }] };
      const found = await collection('recording', 'uploads').find(left).toArray();
      return found.map(({ _id, sessionId }) => `recordings/${sessionId}/parts/${_id}/`);
    },
    async queuedJobs() {
      const names = Object.keys(queues) as QueueName[];
      const found = await Promise.all(
        names.map(async (queue) => {
          const waiting = await jobs.queue(queue).getJobs(['wait', 'active', 'delayed', 'prioritized']);
          return waiting.map((job) => ({ queue, id: String(job?.id) }));
        }),
      );
      return found.flat();
    },
    async close() {
      await jobs.close().catch(() => undefined);
      redis.disconnect();
      await mongo.close();
    },
  };
}
