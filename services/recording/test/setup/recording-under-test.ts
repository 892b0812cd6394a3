import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SetSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { createRateLimits } from '@interview-prep/kit/http/rate-limits';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createJobProducer, type JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { Outbox } from '@interview-prep/kit/redis/outbox';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createTestIdentity, type TestIdentity, type TestUser } from '@interview-prep/kit/testing/identity';
import { removeBuckets } from '@interview-prep/kit/testing/remove-buckets';
import {
  createMediaCookie,
  createMediaTokens,
  type MediaCookie,
  type MediaTokens,
} from '@interview-prep/kit/tokens/media-tokens';
import { createTokenDenylist, type TokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { Types } from 'mongoose';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { builtInJudge } from '../../src/calibration/built-in-judge.ts';
import { type Deletions, openDeletions } from '../../src/deletions/deletion-log.ts';
import { createAccountDataSource } from '../../src/export/account-data-source.ts';
import { createExportCookie } from '../../src/export/export-cookie.ts';
import { createExportLimits } from '../../src/export/routes.ts';
import { createRunningExports } from '../../src/export/running-exports.ts';
import { createLiveStreams, type LiveStreams } from '../../src/live/streams.ts';
import { type RecordingModels, recordingModels } from '../../src/models.ts';
import { createObjectStore, type ObjectStore } from '../../src/object-store/object-store.ts';
import type { Recording } from '../../src/recordings/model.ts';
import { createRecordingOutbox } from '../../src/recordings/recording-outbox.ts';
import { applySet } from '../../src/sets/apply-set.ts';
import { createTrialQueue } from '../../src/trials/trial-queue.ts';
import { createSpoolRoom } from '../../src/uploads/spool-room.ts';
import { createVirusScan } from '../../src/uploads/virus-scan.ts';
import { openWorkFolder } from '../../src/work-folder.ts';
import { startStandInAuth } from './stand-in-auth.ts';

/** The service's HTTP server, using the real databases of the test run. */
export interface RecordingUnderTest {
  backing: TestBacking;
  identity: TestIdentity;
  denylist: TokenDenylist;
  models: RecordingModels;
  store: ObjectStore;
  storeSettings: Record<string, string>;
  jobs: JobProducer;
  /** Can read every queue. */
  allJobs: JobProducer;
  outbox: Outbox<Recording>;
  deletions: Deletions;
  mediaTokens: MediaTokens;
  mediaCookie: MediaCookie;
  streams: LiveStreams;
  spoolDir: string;
  server: Server;
  /** The same app with some parts replaced. */
  listen(changes?: Partial<Parameters<typeof createApp>[0]>): Promise<Server>;
  /** Adds a set, as if published by catalog. */
  addSet(changes?: Partial<SetSnapshot>): Promise<SetSnapshot>;
  /** Called when the service closes. */
  onClose(callback: () => void): void;
  close(): Promise<void>;
}

export const mediaTokenSecret = 'a secret for the tests of thirty-two characters';

const publicUrl = 'https://prep.example.com';

/** The settings of the test run's object store, with a test file's own bucket. */
function storeSettingsOf(bucket: string) {
  const { S3_ENDPOINT = '', S3_ACCESS_KEY = '', S3_SECRET_KEY = '', S3_REGION = 'us-east-1' } = process.env;
  return { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION, S3_BUCKET: bucket };
}

export async function startRecording(shared?: TestBacking): Promise<RecordingUnderTest> {
  const backing = shared ?? (await createTestBacking('recording'));
  const { mongo, redis, log, settings } = backing;
  const models = recordingModels(mongo);
  await buildIndexes(mongo);
  const prefix = settings.REDIS_PREFIX;
  const storeSettings = storeSettingsOf(prefix);
  const store = createObjectStore(storeSettings);
  await store.prepare(log);
  const spoolDir = await mkdtemp(join(tmpdir(), 'recording-test-'));
  const jobs = createJobProducer(redis, prefix);
  const allJobs = createJobProducer(backing.redisAdministrator, prefix);
  const outbox = createRecordingOutbox({ models, jobs, redis, prefix, log, sweeps: false });
  const deletions = openDeletions({ models, store, jobs, redis, prefix, log, sweeps: false });
  const denylist = createTokenDenylist(backing.redisAdministrator, prefix);
  const identity = await createTestIdentity(denylist);
  const mediaTokens = createMediaTokens(mediaTokenSecret);
  const mediaCookie = createMediaCookie(mediaTokenSecret, publicUrl);
  const streams = createLiveStreams(log);
  const spool = await openWorkFolder(spoolDir, 'recording-uploads');

  const limitRate = createRateLimits({ redis, prefix, service: 'recording', log });
  const auth = await startStandInAuth(identity);
  const listening: Server[] = [auth.server];
  const closers: (() => void)[] = [];
  const listen: RecordingUnderTest['listen'] = async (changes = {}) => {
    const app = createApp({
      log,
      models,
      store,
      jobs,
      outbox,
      deletions,
      mediaTokens,
      denylist,
      mediaCookie,
      exportCookie: createExportCookie(mediaTokenSecret, publicUrl),
      accountData: createAccountDataSource(auth.url, redis, prefix),
      exportLimits: createExportLimits(3, limitRate),
      runningExports: createRunningExports({ redis, prefix, log }),
      limitRate,
      publicUrl,
      shareLinks: 'on',
      trials: createTrialQueue({ jobs, redis, prefix }),
      streams,
      spool,
      room: createSpoolRoom(1e9),
      scanForViruses: createVirusScan(undefined, log),
      uploadLimits: { answers: [], parts: [] },
      engineReports: { redis, prefix },
      judge: builtInJudge,
      setPatienceMs: 300,
      verify: identity.verify,
      verifyResetTicket: identity.verifyResetTicket,
      checks: {},
      ...changes,
    });
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve(server));
      listening.push(server);
    });
  };

  return {
    backing,
    identity,
    denylist,
    models,
    store,
    storeSettings,
    jobs,
    allJobs,
    outbox,
    deletions,
    mediaTokens,
    mediaCookie,
    streams,
    spoolDir,
    listen,
    server: await listen(),
    async addSet(changes = {}) {
      const set = setOf(changes);
      await applySet(set, models);
      return set;
    },
    onClose: (callback) => void closers.push(callback),
    async close() {
      streams.close();
      for (const closer of closers) closer();
      for (const server of listening) {
        server.close();
        server.closeAllConnections();
      }
      await deletions.stop();
      await outbox.stop();
      await Promise.all([jobs.close(), allJobs.close()]);
      if (!shared) await backing.close();
      await removeBuckets(prefix);
      // A killed worker's child processes may continue writing for a moment.
      await rm(spoolDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export function setOf(changes: Partial<SetSnapshot> = {}): SetSnapshot {
  return {
    setId: new Types.ObjectId().toHexString(),
    kind: 'interview',
    title: 'Closures and scope',
    technology: 'JavaScript',
    technologySlug: 'javascript',
    questions: ['What is a closure?', 'What does hoisting mean?'],
    expertAnswers: ['A closure is a function that keeps the variables of the scope it was made in.', ''],
    deletedAt: null,
    revision: 1,
    ...changes,
  };
}

/** An upload's text parts; undefined omits a part. */
export interface UploadParts {
  setId: string;
  sessionId?: string | undefined;
  questionId?: string | undefined;
  setUpdatedAt?: string | undefined;
  askedQuestions?: string | undefined;
  sources?: string | undefined;
}

/** The cookies set by a response, as sent in the next request. */
export function cookiesOf({ headers }: { headers: Record<string, unknown> }): string {
  const set = (headers['set-cookie'] ?? []) as string[];
  return set.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Sends an upload like the web app. */
export function upload(
  server: Server,
  user: TestUser,
  file: Buffer,
  { setId, sessionId = randomUUID(), questionId = '0', setUpdatedAt, askedQuestions, sources }: UploadParts,
  kind: SessionKind = 'interview',
) {
  const names =
    kind === 'interview'
      ? { path: '/api/interviews/recordings', file: 'audio', set: 'interviewSetId', title: 'interviewSetTitle' }
      : { path: '/api/practice/recordings', file: 'file', set: 'practiceSetId', title: 'practiceSetTitle' };
  const sending = request(server)
    .post(names.path)
    .set('Authorization', user.authorization)
    .attach(names.file, file, { filename: 'recording.webm', contentType: 'audio/webm' })
    .field('questionId', questionId)
    .field('technologyCategory', 'JavaScript')
    .field(names.title, 'Closures and scope')
    .field(names.set, setId)
    .field('sessionId', sessionId);
  for (const [name, value] of Object.entries({ setUpdatedAt, askedQuestions, sources })) {
    if (value !== undefined) sending.field(name, value);
  }
  return sending;
}

/** Uploads an answer to a new set. @returns the recording's id */
export async function sendAnswer(
  service: RecordingUnderTest,
  user: TestUser,
  file: Buffer,
  kind: SessionKind = 'interview',
): Promise<string> {
  const { setId } = await service.addSet({ kind });
  const { status, body } = await upload(service.server, user, file, { setId }, kind);
  if (status !== 201) throw new Error(`The upload was answered ${status}: ${JSON.stringify(body)}`);
  return body.recording._id;
}
