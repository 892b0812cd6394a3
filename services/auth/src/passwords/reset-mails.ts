import type { Logger } from '@interview-prep/kit/logger';
import { trusted } from 'mongoose';
import type { UserModel } from '../users/model.ts';
import type { Mailer } from './mailer.ts';
import { resetMail } from './reset-mail.ts';
import type { ResetRequest, ResetRequestModel } from './reset-requests.ts';
import { makeResetToken, passwordLinkUrl } from './reset-tokens.ts';

/** How long a link works that the user asked for. */
const linkLifetimeMs = 60 * 60_000;

/** How long a link works that an admin made: the person may not read mail today. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60_000;

/** An older request is dropped: nobody waits for the mail any more. */
const requestLifetimeMs = 60 * 60_000;

/** How often requests are looked up that another process, or this one before a crash, left over. */
const pollMs = 5000;

/** How long one attempt may take before another process may try. */
const leaseMs = 60_000;

/** The pause after the first failed attempt, doubled after each. */
const firstBackoffMs = 2000;

/** Sends reset mails in the background, so that no response time or error reveals whether an account exists. */
export interface ResetMails {
  /** Stores the request; the mail follows. An email without an account gets the same treatment. */
  request(email: string, kind?: ResetRequest['kind']): Promise<void>;
  /** Drops the requests of a user who is deleted. */
  forget(email: string): Promise<void>;
  stop(): Promise<void>;
}

export function sendResetMails(deps: {
  users: UserModel;
  requests: ResetRequestModel;
  /** Null without SMTP_URL. */
  mailer: Mailer | null;
  publicUrl: string;
  log: Logger;
}): ResetMails {
  const { users, requests, mailer, publicUrl, log } = deps;

  const send = async ({ email, kind = 'user' }: ResetRequest) => {
    const user = await users.findOne({ email, deletedAt: null }, '_id').lean();
    if (!user) return;
    if (!mailer) {
      log.error('a password reset was asked for, but no mail can be sent: SMTP_URL is not set');
      return;
    }
    const token = await makeResetToken(users, user._id, kind === 'user' ? linkLifetimeMs : invitationLifetimeMs);
    await mailer.send(resetMail(email, passwordLinkUrl(publicUrl, token, kind === 'invitation'), kind));
    log.info({ userId: user._id.toHexString() }, 'reset link sent');
  };

  const handleNext = async (): Promise<boolean> => {
    const request = await requests.findOneAndUpdate(
      { dueAt: trusted({ $lte: new Date() }) },
      { $set: { dueAt: new Date(Date.now() + leaseMs) }, $inc: { attempts: 1 } },
      { sort: { dueAt: 1 }, returnDocument: 'after' },
    );
    if (!request) return false;
    try {
      await send(request);
      await requests.deleteOne({ _id: request._id });
    } catch (error) {
      const dueAt = new Date(Date.now() + firstBackoffMs * 2 ** (request.attempts - 1));
      const isExpired = dueAt.getTime() - request.requestedAt.getTime() > requestLifetimeMs;
      log.error({ err: error, attempts: request.attempts, isExpired }, 'sending a reset link failed');
      if (isExpired) await requests.deleteOne({ _id: request._id });
      else await requests.updateOne({ _id: request._id }, { $set: { dueAt } });
    }
    return true;
  };

  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const wake = () => {
    running = running.then(async () => {
      while (!stopped && (await handleNext()));
    });
    running = running.catch((error: unknown) => log.warn({ err: error }, 'finding reset requests failed'));
  };
  wake();
  const timer = setInterval(wake, pollMs);

  return {
    async request(email, kind = 'user') {
      const now = new Date();
      await requests.create({ email, kind, requestedAt: now, dueAt: now });
      wake();
    },
    async forget(email) {
      await requests.deleteMany({ email });
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      mailer?.close();
    },
  };
}
