import { randomUUID } from 'node:crypto';
import { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { AccountData, accountDataRoutes } from '@interview-prep/contracts/auth/account-data';
import { stepUpCode } from '@interview-prep/contracts/auth/step-up-code';
import { forbidden, HttpError, notFound, unavailable } from '@interview-prep/kit/http/http-error';
import type { Redis } from 'ioredis';

/** As long as a link to an export, and a little more for the download to begin. */
const keptMs = 90_000;
const timeoutMs = 5000;
const notPossible = 'Your data cannot be put together right now. Please try again.';

/** A person's account data: fetched with the token of a user who may read it, and kept until the download begins. */
export interface AccountDataSource {
  /**
   * Asks auth in the name of who asks for an export.
   * @returns the id under which the data is kept for a minute and a half
   * @throws HttpError 403, 404 as auth does; 503 where it does not answer
   */
  fetch(userId: string, authorization: string | undefined): Promise<string>;
  /** Whether a download with this id may begin. */
  has(id: string): Promise<boolean>;
  /** The account data, once: a link works for one download. Null once it was taken or has expired. */
  take(id: string): Promise<AccountData | null>;
}

/** Auth wants a fresh sign-in, or does not allow it at all. */
async function refusalOf(answer: Response): Promise<HttpError> {
  const { data } = ErrorBody.safeParse(await answer.json().catch(() => null));
  return data?.code === stepUpCode ? new HttpError(403, stepUpCode, data.message) : forbidden();
}

/** @param jwksUrl an address of auth */
export function createAccountDataSource(jwksUrl: string, redis: Redis, prefix: string): AccountDataSource {
  const keyOf = (id: string) => `${prefix}:exports:${id}`;
  return {
    async fetch(userId, authorization = '') {
      const url = new URL(accountDataRoutes.accountData.path, jwksUrl);
      url.searchParams.set('userId', userId);
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(url, { headers: { authorization }, redirect: 'error', signal }).catch(
        (error: unknown) => {
          throw unavailable(notPossible, error);
        },
      );
      if (answer.status === 403) throw await refusalOf(answer);
      if (answer.status === 404) throw notFound('User not found');
      if (!answer.ok) throw unavailable(notPossible, new Error(`auth answered ${answer.status}`));
      const id = randomUUID();
      const data = AccountData.parse(await answer.json());
      await redis.set(keyOf(id), JSON.stringify(data), 'PX', keptMs);
      return id;
    },
    async has(id) {
      return (await redis.exists(keyOf(id))) === 1;
    },
    async take(id) {
      const kept = await redis.getdel(keyOf(id));
      return kept === null ? null : AccountData.parse(JSON.parse(kept));
    },
  };
}
