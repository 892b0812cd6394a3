import type { Logger } from '@interview-prep/kit/logger';
import { trusted } from 'mongoose';
import type { UserModel } from '../users/model.ts';
import type { Mailer } from './mailer.ts';
import { resetMail } from './reset-mail.ts';
import type { ResetRequest, ResetRequestModel } from './reset-requests.ts';
import { makeResetToken, resetLink } from './reset-tokens.ts';

/** How long a link in a mail works. */
const linkLifetimeMs = 60 * 60_000;

/** A wish older than this is given up: nobody waits for the mail any more. */
const giveUpAfterMs = 60 * 60_000;

/** How often the database is asked for wishes that another process, or this one before a crash, left over. */
const pollMs = 5000;

/** How long one try may take until another process may try as well. */
const leaseMs = 60_000;

/** The pause after the first failed try, doubled after each. */
const firstPauseMs = 2000;

/** Sends reset mails apart from the requests that ask for them: neither time nor failure tells whether an account exists. */
export interface ResetMails {
  /** Keeps the wish; the mail follows. Does the same for an email that nobody has. */
  request(email: string): Promise<void>;
  stop(): Promise<void>;
}

export function sendResetMails(deps: {
  users: UserModel;
  requests: ResetRequestModel;
  /** Null where no mail server is configured. */
  mailer: Mailer | null;
  publicUrl: string;
  log: Logger;
}): ResetMails {
  const { users, requests, mailer, publicUrl, log } = deps;

  const send = async ({ email }: ResetRequest) => {
    const user = await users.findOne({ email, deletedAt: null }, '_id').lean();
    if (!user) return;
    if (!mailer) {
      log.error('a password reset was asked for, but no mail can be sent: SMTP_URL is not set');
      return;
    }
    const token = await makeResetToken(users, user._id, linkLifetimeMs);
    await mailer.send(resetMail(email, resetLink(publicUrl, token)));
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
      const dueAt = new Date(Date.now() + firstPauseMs * 2 ** (request.attempts - 1));
      const givenUp = dueAt.getTime() - request.requestedAt.getTime() > giveUpAfterMs;
      log.error({ err: error, attempts: request.attempts, givenUp }, 'sending a reset link failed');
      if (givenUp) await requests.deleteOne({ _id: request._id });
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
    running = running.catch((error: unknown) => log.warn({ err: error }, 'looking for reset requests failed'));
  };
  wake();
  const timer = setInterval(wake, pollMs);

  return {
    async request(email) {
      const now = new Date();
      await requests.create({ email, requestedAt: now, dueAt: now });
      wake();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      mailer?.close();
    },
  };
}
