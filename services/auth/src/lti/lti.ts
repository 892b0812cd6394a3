import type { AccountData } from '@interview-prep/contracts/auth/account-data';
import type { AssignmentScore } from '@interview-prep/contracts/recording/assignments';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { type Types, trusted } from 'mongoose';
import type { OutboundNetworks } from '../outbound/outbound-request.ts';
import type { Keyring } from '../signing-keys/keyring.ts';
import type { UserModel, UserRecord } from '../users/model.ts';
import { type LtiModels, ltiPrefix } from './model.ts';
import { createPlatformClient, type PlatformClient } from './platform-client.ts';
import { openScores } from './scores.ts';

/** The learning platforms, their courses, and score passback. */
export interface Lti extends LtiModels {
  networks: OutboundNetworks;
  /** The keys that sign messages to platforms. */
  keyring: Keyring;
  client: PlatformClient;
  /** Requests everyone's scores for an assignment from recording. */
  askForScores(assignmentId: string): Promise<void>;
  applyScore(event: AssignmentScore): Promise<void>;
  /** Sends the scores that are due now, without waiting. */
  wake(): void;
  /** Runs work in the background; `stop` awaits it. It must not throw. */
  inBackground(work: Promise<void>): void;
  /** Deletes a course with its activities and scores. */
  forgetCourse(courseId: Types.ObjectId): Promise<void>;
  /** Everything stored about a user, for their export. */
  dataOf(user: Pick<UserRecord, '_id' | 'identities'>): Promise<Pick<AccountData, 'platforms' | 'courseScores'>>;
  /** Erases a deleted user's data. */
  forgetUser(userId: string): Promise<void>;
  stop(): Promise<void>;
}

export function openLti(deps: {
  models: LtiModels;
  users: UserModel;
  keyring: Keyring;
  networks: OutboundNetworks;
  jobs: JobProducer;
  log: Logger;
}): Lti {
  const { models, users, keyring, networks, jobs, log } = deps;
  const client = createPlatformClient(keyring, networks, log);
  const scores = openScores({ models, users, client, log });
  const running = new Set<Promise<void>>();
  return {
    ...models,
    networks,
    keyring,
    client,
    askForScores: (assignmentId) =>
      jobs.add('recording', 'announce-scores', { assignmentId, at: new Date().toISOString() }),
    applyScore: scores.apply,
    wake: scores.wake,
    inBackground(work) {
      const tracked: Promise<void> = work.finally(() => running.delete(tracked));
      running.add(tracked);
    },
    async forgetCourse(courseId) {
      await models.links.deleteMany({ courseId });
      await models.scores.deleteMany({ courseId });
      await models.launches.deleteMany({ courseId });
      await models.courses.deleteOne({ _id: courseId });
    },
    async dataOf({ _id, identities = [] }) {
      const platforms = await models.platforms.find({}, 'name issuer').lean();
      const stored = await models.scores
        .find({ userId: String(_id) })
        .sort({ scoredAt: -1 })
        .lean();
      return {
        platforms: platforms.flatMap(({ name, issuer }) =>
          identities.some((key) => key.startsWith(ltiPrefix(issuer))) ? [name] : [],
        ),
        courseScores: await Promise.all(
          stored.map(async ({ courseId, linkId, score, deliveredAt }) => ({
            course: (await models.courses.findById(courseId, 'title').lean())?.title ?? '',
            activity: (await models.links.findById(linkId, 'title').lean())?.title ?? '',
            score,
            sentAt: deliveredAt?.toISOString() ?? null,
          })),
        ),
      };
    },
    async forgetUser(userId) {
      await models.scores.deleteMany({ userId });
      await models.launches.deleteMany({ userId });
      // The names of skipped people may include theirs.
      await models.courses.updateMany(
        { memberUpdate: trusted({ $exists: true }) },
        { $set: { 'memberUpdate.skipped': [] } },
      );
    },
    async stop() {
      await Promise.all([...running, scores.stop(), keyring.stop()]);
    },
  };
}
