import { randomUUID } from 'node:crypto';
import { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { AccountData, accountDataRoutes } from '@interview-prep/contracts/auth/account-data';
import { stepUpCode } from '@interview-prep/contracts/auth/step-up-code';
import { forbidden, HttpError, notFound, unavailable } from '@interview-prep/kit/http/http-error';
import type { Redis } from 'ioredis';

/** The lifetime of an export link, plus a margin for the download to start. */
const keptMs = 90_000;
const timeoutMs = 5000;
const notPossible = 'Your data cannot be put together right now. Please try again.';

/** A user's account data: fetched with the requester's token, and kept until the download starts. */
export interface AccountDataSource {
  /**
   * Fetches the data from auth on behalf of the requester.
   * @returns the id under which the data is kept for a minute and a half
   * @throws HttpError 403, 404 as auth does; 503 if auth doesn't respond
   */
  fetch(userId: string, authorization: string | undefined): Promise<string>;
  /** Whether a download with this id may start. */
  has(id: string): Promise<boolean>;
  /** Returns the account data once, since a link is good for one download. Null if it was already taken or has expired. */
  take(id: string): Promise<AccountData | null>;
}

/** Auth's refusal: it wants a fresh sign-in, or forbids the export. */
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
