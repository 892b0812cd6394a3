import type { AssignmentScore } from '@interview-prep/contracts/recording/assignments';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Logger } from '@interview-prep/kit/process/logger';
import { trusted } from 'mongoose';
import { type Deliveries, type DeliveryAttempt, deliverDue } from '../outbound/deliver-due.ts';
import { OutboundFailure } from '../outbound/outbound-request.ts';
import type { UserModel } from '../users/model.ts';
import { scoreScope } from './claims.ts';
import { type LtiModels, ltiPrefix, type StoredScore } from './model.ts';
import type { PlatformClient } from './platform-client.ts';

interface ScoreDeps {
  models: LtiModels;
  users: UserModel;
  client: PlatformClient;
  log: Logger;
}

/** The scores URL of a line item, whose own URL may have a query. Source: LTI AGS 2.0, section 3.3.1. */
export function scoresUrl(lineItemUrl: string): string {
  const url = new URL(lineItemUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/scores`;
  return url.href;
}

async function sendScore(
  { linkId, userId, score, isComplete }: StoredScore,
  { models, users, client }: ScoreDeps,
): Promise<DeliveryAttempt | null> {
  const link = await models.links.findById(linkId).lean();
  const course = link && (await models.courses.findById(link.courseId).lean());
  const platform = course && (await models.platforms.findById(course.platformId).lean());
  const user = await users.findOne({ _id: userId, deletedAt: null }, 'identities').lean();
  const prefix = platform ? ltiPrefix(platform.issuer) : '';
  const sub = user?.identities?.find((key) => key.startsWith(prefix))?.slice(prefix.length);
  if (!link?.lineItemUrl || !platform || sub === undefined) return null;
  const body = JSON.stringify({
    userId: sub,
    scoreGiven: score,
    scoreMaximum: 100,
    activityProgress: isComplete ? 'Completed' : 'InProgress',
    gradingProgress: 'FullyGraded',
    // Platforms reject scores with an older timestamp than the stored one. This is always the latest.
    timestamp: new Date().toISOString(),
  });
  const headers = { 'content-type': 'application/vnd.ims.lis.v1.score+json' };
  try {
    const { status } = await client.call(platform, scoreScope, scoresUrl(link.lineItemUrl), {
      method: 'POST',
      headers,
      body,
    });
    // 404: the activity no longer exists. 422: the user has left the course.
    return {
      succeeded: status >= 200 && status < 300,
      outcome: String(status),
      isFinal: [404, 410, 422].includes(status),
    };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { succeeded: false, outcome: error.message };
  }
}

/** Sends members' scores to the gradebooks of their courses. */
interface Scores extends Deliveries {
  /** Stores a member's best score for each activity that opens the assignment. Ignores repeated and older scores. */
  apply(event: AssignmentScore): Promise<void>;
}

export function openScores(deps: ScoreDeps): Scores {
  const { models, users, log } = deps;
  const { wake, stop } = deliverDue(
    models.scores,
    async (stored) => {
      const attempt = await sendScore(stored, deps);
      log.info({ score: stored._id, course: stored.courseId, ...attempt }, 'score sent to a course');
      return attempt;
    },
    log,
  );
  return {
    wake,
    stop,
    async apply({ assignmentId, groupId, userId, score, isComplete, at }) {
      const scoredAt = new Date(at);
      const links = await models.links.find({ assignmentId, lineItemUrl: trusted({ $exists: true }) }).lean();
      for (const { _id: linkId, courseId } of links) {
        // Teachers can put any assignment into a link: ignore those of other groups.
        const course = await models.courses.findOne({ _id: courseId, groupId }).lean();
        const platform = course && (await models.platforms.findById(course.platformId).lean());
        const user = platform && (await users.findOne({ _id: userId, deletedAt: null }, 'identities').lean());
        if (!user?.identities?.some((key) => key.startsWith(ltiPrefix(platform?.issuer ?? '')))) continue;
        const fresh = { score, isComplete, scoredAt, attempts: 0, dueAt: new Date() };
        const before = await models.scores.findOne({ linkId, userId }).lean();
        if (before && ((before.score === score && before.isComplete === isComplete) || before.scoredAt >= scoredAt))
          continue;
        if (before)
          await models.scores.updateOne(
            { _id: before._id, scoredAt: before.scoredAt },
            { $set: fresh, $unset: { deliveredAt: 1, outcome: 1, lastAt: 1 } },
          );
        else
          await models.scores.create({ linkId, courseId, userId, ...fresh }).catch((error: unknown) => {
            // A concurrent delivery of the same event.
            if (!isDuplicateKey(error)) throw error;
          });
      }
      if (links.length > 0) wake();
    },
  };
}
