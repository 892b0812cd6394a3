import type { AssignmentMail } from '@interview-prep/contracts/recording/assignments';
import type { AnswerReviewed } from '@interview-prep/contracts/recording/reviews';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Logger } from '@interview-prep/kit/process/logger';
import { registerReadGauge } from '@interview-prep/kit/process/read-gauge';
import { secondsSince } from '@interview-prep/kit/redis/outbox-age';
import { Counter, type Registry } from '@prometheus-io/client';
import { trusted } from 'mongoose';
import { joinUrl, makeInvitationToken } from '../groups/groups.ts';
import type { GroupModels, InvitationRecord } from '../groups/model.ts';
import type { UserModel } from '../users/model.ts';
import { makeResetToken, passwordLinkUrl } from '../users/reset-tokens.ts';
import { assignmentMail, assignmentMailId } from './assignment-mail.ts';
import { type GroupMessageMail, groupMail, groupMessageMail } from './group-mail.ts';
import { linkMail } from './link-mail.ts';
import type { MailRequest, MailRequestModel } from './mail-requests.ts';
import type { Mail, Mailer } from './mailer.ts';
import { type PasswordMailKind, resetMail } from './reset-mail.ts';

/** The mail about a reviewed answer. It reveals neither the question nor the verdict, since others may read the mail too. */
function reviewMail(
  to: string,
  { interviewId, questionId }: NonNullable<MailRequest['review']>,
  publicUrl: string,
): Mail {
  const number = questionId + 1;
  return linkMail(to, `${publicUrl}/interviews/${interviewId}#question-${number}`, {
    subject: 'A reviewer has scored your answer',
    why: `You requested a human review of your answer to question ${number} of an interview at the Interview Preparation Platform. It is ready.`,
    how: 'Read it here:',
    button: 'See the review',
    otherwise: 'You get this email because email notifications are on in your profile. You can turn them off there.',
  });
}

/** The mail about answers waiting for a review. It doesn't reveal whose or which. */
function appealMail(to: string, publicUrl: string): Mail {
  return linkMail(to, `${publicUrl}/admin/appeals`, {
    subject: 'An answer is waiting for your review',
    why: 'At least one answer at the Interview Preparation Platform is waiting for a human review.',
    how: 'See the open appeals:',
    button: 'Open appeals',
    otherwise: 'You get this email because you turned it on in your profile, where you can turn it off.',
  });
}

/** How long appeals, and changes to an assignment, are batched into one mail. */
const collectMs = 5 * 60_000;

/** Kinds that may come in thousands: sent after all others. */
const bulk = ['group', 'assignment', 'message'] as const satisfies readonly MailRequest['kind'][];

/** The lifetime of a link that the user asked for. */
const linkLifetimeMs = 60 * 60_000;

/** The lifetime of a link that an admin sent: the recipient may not read mail every day. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60_000;

const hourMs = 60 * 60_000;

/** Older requests are dropped as stale. */
const requestLifetimeMs: Record<MailRequest['kind'], number> = {
  user: hourMs,
  admin: hourMs,
  invitation: hourMs,
  review: 24 * hourMs,
  group: 24 * hourMs,
  assignment: 6 * hourMs,
  message: 24 * hourMs,
  appeal: 24 * hourMs,
};

/** How often to look for requests that another process, or this one before a crash, left over. */
const pollMs = 30_000;

/** How long one attempt may take before another process may try. */
const leaseMs = 60_000;

/** The pause after the first failed attempt, doubled after each. */
const firstBackoffMs = 2000;

/** Sends mail in the background, so that no response time or error reveals whether an account exists. */
export interface MailOutbox {
  /** Stores the request for a link that sets a password; the mail follows. An email without an account gets the same treatment. */
  requestPasswordLink(email: string, kind?: PasswordMailKind): Promise<void>;
  /** Requests a mail about a review, if its user wants one. A repeated event doesn't add a second pending mail. */
  announceReview(event: AnswerReviewed): Promise<void>;
  /** Requests invitation mails to a group. They are sent after all others, since there may be thousands. */
  inviteToGroup(invitations: readonly InvitationRecord[]): Promise<void>;
  /**
   * Requests a mail to everyone subscribed to appeals: admins, and coaches of the group that the answer was
   * given for. Appeals within five minutes are batched into one mail.
   */
  announceAppeal(groupId?: string): Promise<void>;
  /** Requests mails about assigned work, for those who want them. Events repeated within three days are deduplicated. */
  announceAssignment(mail: AssignmentMail): Promise<void>;
  /** Requests a mail from a coach, to those who want mails about assigned work. @returns the ids of those who get none */
  messageGroup(userIds: readonly string[], message: GroupMessageMail): Promise<{ mailed: number; unreached: string[] }>;
  /** Drops a deleted user's requests. */
  forget(email: string): Promise<void>;
  /** Registers metrics for sent and failed mails, and for the age of the oldest waiting one. */
  registerMetrics(registry: Registry): void;
  stop(): Promise<void>;
}

export function openMailOutbox(deps: {
  users: UserModel;
  groups: GroupModels;
  isCoach: (userId: string) => Promise<boolean>;
  requests: MailRequestModel;
  /** Null without SMTP_URL. */
  mailer: Mailer | null;
  publicUrl: string;
  log: Logger;
}): MailOutbox {
  const { users, groups, isCoach, requests, mailer, publicUrl, log } = deps;
  const sent = new Counter({ name: 'mail_sent_total', help: 'Mails that the mail server took', registers: [] });
  const failures = new Counter({ name: 'mail_failures_total', help: 'Failed attempts to send a mail', registers: [] });

  const composeInvitation = async (invitationId: MailRequest['_id']): Promise<Mail | null> => {
    const invitation = await groups.invitations.findById(invitationId).lean();
    const group = invitation && (await groups.groups.findOne({ _id: invitation.groupId, archivedAt: null }).lean());
    if (!invitation || !group) return null;
    const token = await makeInvitationToken(groups.invitations, invitation._id);
    return groupMail(invitation.email, joinUrl(publicUrl, { token }), group.name);
  };
  const settleInvitation = ({ _id, kind }: MailRequest, $set: { sentAt: Date } | { failedAt: Date }) =>
    kind === 'group' ? groups.invitations.updateOne({ _id }, { $set }) : null;

  /** The mail of a request; null if it is no longer wanted. */
  const compose = async ({ _id, email, kind, review, assignment, message }: MailRequest): Promise<Mail | null> => {
    if (kind === 'group') return composeInvitation(_id);
    const user = await users.findOne({ email, deletedAt: null }, 'role reviewMail appealMail assignmentMail').lean();
    if (!user) return null;
    if (kind === 'appeal') {
      const reviews = user.role === 'admin' || (await isCoach(String(user._id)));
      return reviews && user.appealMail ? appealMail(email, publicUrl) : null;
    }
    if (kind === 'review') return review && user.reviewMail ? reviewMail(email, review, publicUrl) : null;
    if (kind === 'assignment')
      return assignment && user.assignmentMail !== false ? assignmentMail(email, assignment, publicUrl) : null;
    if (kind === 'message') {
      const sender = message && (await users.findOne({ _id: message.senderId, deletedAt: null }, 'email name').lean());
      const isWanted = user.assignmentMail !== false;
      return message && sender && isWanted ? groupMessageMail(email, message, sender, publicUrl) : null;
    }
    const token = await makeResetToken(users, user._id, kind === 'user' ? linkLifetimeMs : invitationLifetimeMs);
    return resetMail(email, passwordLinkUrl(publicUrl, token, kind === 'invitation'), kind);
  };

  const send = async (request: MailRequest) => {
    if (!mailer) {
      if (await users.exists({ email: request.email, deletedAt: null }))
        log.error({ kind: request.kind }, 'a mail was asked for, but none can be sent: SMTP_URL is not set');
      return;
    }
    const mail = await compose(request);
    if (!mail) return;
    await mailer.send(mail);
    await settleInvitation(request, { sentAt: new Date() });
    sent.inc();
    log.info({ kind: request.kind }, 'mail sent');
  };

  const takeNext = (kind: { $in: typeof bulk } | { $nin: typeof bulk }) =>
    requests.findOneAndUpdate(
      { kind: trusted(kind), dueAt: trusted({ $lte: new Date() }) },
      { $set: { dueAt: new Date(Date.now() + leaseMs) }, $inc: { attempts: 1 } },
      { sort: { dueAt: 1 }, returnDocument: 'after' },
    );
  const handleNext = async (): Promise<boolean> => {
    const request = (await takeNext({ $nin: bulk })) ?? (await takeNext({ $in: bulk }));
    if (!request) return false;
    try {
      await send(request);
      const { _id, kind } = request;
      if (kind === 'assignment')
        await requests.updateOne({ _id }, { $set: { sentAt: new Date() }, $unset: { dueAt: 1 } });
      else await requests.deleteOne({ _id });
    } catch (error) {
      failures.inc();
      const pauseMs = firstBackoffMs * 2 ** (request.attempts - 1);
      const dueAt = new Date(Date.now() + pauseMs);
      const isExpired = dueAt.getTime() - request.requestedAt.getTime() > requestLifetimeMs[request.kind];
      log.error({ err: error, attempts: request.attempts, isExpired }, 'sending a mail failed');
      if (isExpired) {
        await settleInvitation(request, { failedAt: new Date() });
        await requests.deleteOne({ _id: request._id });
      } else {
        await requests.updateOne({ _id: request._id }, { $set: { dueAt } });
        if (pauseMs < pollMs) setTimeout(wake, pauseMs).unref();
      }
    }
    return true;
  };

  /** Keeps the users who want mails about assigned work. */
  const workReaders = (userIds: readonly string[]) =>
    users
      .find(
        {
          _id: trusted({ $in: userIds }),
          assignmentMail: trusted({ $ne: false }),
          suspendedAt: null,
          deletedAt: null,
        },
        'email',
      )
      .lean();

  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const wake = () => {
    running = running.then(async () => {
      while (!stopped && (await handleNext()));
    });
    running = running.catch((error: unknown) => log.warn({ err: error }, 'finding mail requests failed'));
  };
  wake();
  const timer = setInterval(wake, pollMs);

  return {
    async requestPasswordLink(email, kind = 'user') {
      const now = new Date();
      await requests.create({ email, kind, requestedAt: now, dueAt: now });
      wake();
    },
    async announceReview({ userId, recordingId, interviewId, questionId }) {
      const user = await users.findOne({ _id: userId, deletedAt: null, reviewMail: true }, 'email').lean();
      if (!user) return;
      const now = new Date();
      const review = { interviewId, questionId };
      const $setOnInsert = { email: user.email, kind: 'review', review, requestedAt: now, dueAt: now, attempts: 0 };
      await upsertById(() => requests.updateOne({ _id: recordingId }, { $setOnInsert }, { upsert: true }));
      wake();
    },
    async inviteToGroup(invitations) {
      const now = new Date();
      const waiting = invitations.map(({ _id, email }) => ({
        _id,
        email,
        kind: 'group',
        requestedAt: now,
        dueAt: now,
      }));
      await requests.insertMany(waiting, { ordered: false }).catch((error: unknown) => {
        // The pending mail will get the newest link.
        if (!isDuplicateKey(error)) throw error;
      });
      wake();
    },
    async announceAppeal(groupId) {
      const group = groupId === undefined ? null : await groups.groups.findById(groupId, 'people').lean();
      const coachIds = group?.people.flatMap(({ userId, role }) => (role === 'coach' ? [userId] : [])) ?? [];
      const readers = await users
        .find(
          { $or: [{ role: 'admin' }, { _id: trusted({ $in: coachIds }) }], deletedAt: null, appealMail: true },
          'email',
        )
        .lean();
      const requestedAt = new Date();
      const dueAt = new Date(requestedAt.getTime() + collectMs);
      for (const { _id, email } of readers) {
        const $setOnInsert = { email, kind: 'appeal', requestedAt, dueAt, attempts: 0 };
        // Use the reader's id, so that concurrent appeals share one request.
        await upsertById(() => requests.updateOne({ _id }, { $setOnInsert }, { upsert: true }));
      }
    },
    async announceAssignment({ userIds, ...news }) {
      const readers = await workReaders(userIds);
      const requestedAt = new Date();
      const isChange = news.about === 'changed';
      // The mail about the newest change replaces unsent ones.
      const unsent = { 'assignment.assignmentId': news.assignmentId, attempts: 0, kind: 'assignment' as const };
      if (news.about === 'withdrawn')
        await requests.deleteMany({ ...unsent, 'assignment.at': trusted({ $lt: news.at }) });
      if (isChange)
        await requests.deleteMany({
          ...unsent,
          email: trusted({ $in: readers.map(({ email }) => email) }),
          'assignment.about': 'changed',
          'assignment.at': trusted({ $lt: news.at }),
        });
      const dueAt = isChange ? new Date(requestedAt.getTime() + collectMs) : requestedAt;
      const rest = { kind: 'assignment', assignment: news, requestedAt, dueAt };
      const mails = readers.map(({ _id, email }) => ({ _id: assignmentMailId(news, String(_id)), email, ...rest }));
      await requests.insertMany(mails, { ordered: false }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
      wake();
    },
    async messageGroup(userIds, message) {
      const readers = await workReaders(userIds);
      const now = new Date();
      const rest = { kind: 'message', message, requestedAt: now, dueAt: now };
      await requests.insertMany(readers.map(({ email }) => ({ email, ...rest })));
      wake();
      const reached = new Set(readers.map(({ _id }) => String(_id)));
      return { mailed: readers.length, unreached: userIds.filter((id) => !reached.has(id)) };
    },
    async forget(email) {
      await requests.deleteMany({ email });
    },
    registerMetrics(registry) {
      registry.registerMetric(sent);
      registry.registerMetric(failures);
      registerReadGauge(registry, {
        name: 'mail_oldest_waiting_age_seconds',
        help: 'Age of the oldest mail that was not sent yet; 0 if there is none',
        async read() {
          const oldest = await requests.findOne({ sentAt: null }, 'requestedAt').sort({ requestedAt: 1 }).lean();
          return secondsSince(oldest?.requestedAt);
        },
      });
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      mailer?.close();
    },
  };
}
