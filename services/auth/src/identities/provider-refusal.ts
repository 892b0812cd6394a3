import { HttpError, unauthorized, unavailable } from '@interview-prep/kit/http/http-error';
import * as client from 'openid-client';

const outageErrors = new Set(['temporarily_unavailable', 'server_error']);

/** openid-client's error codes for requests without a response. */
const silenceCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

const isOutageStatus = (status: number) => status >= 500 || status === 429;

/** Whether the provider is unreachable or reports an outage. */
export function isProviderDown(error: unknown): boolean {
  if (error instanceof client.AuthorizationResponseError) return outageErrors.has(error.error);
  if (error instanceof client.ResponseBodyError) return isOutageStatus(error.status) || outageErrors.has(error.error);
  if (error instanceof client.WWWAuthenticateChallengeError) return isOutageStatus(error.status);
  if (error instanceof client.ClientError) {
    if (error.code && silenceCodes.has(error.code)) return true;
    return error.cause instanceof Response && isOutageStatus(error.cause.status);
  }
  // fetch: no connection.
  return error instanceof TypeError && error.cause !== undefined;
}

/** Whether the provider rejects our client id and secret. */
export function isClientRefused(error: unknown): boolean {
  const refused = new Set(['invalid_client', 'unauthorized_client']);
  if (error instanceof client.ResponseBodyError) return refused.has(error.error);
  return error instanceof client.WWWAuthenticateChallengeError && error.status === 401;
}

/** The error shown to users whom the provider did not sign in. */
export function providerRefusal(error: unknown, name: string): HttpError {
  if (error instanceof HttpError) return error;
  if (isProviderDown(error)) return unavailable(`${name} cannot be reached right now. Please try again.`, error);
  if (isClientRefused(error)) return unavailable(`${name} does not accept this product. Please tell an admin.`, error);
  if (error instanceof client.AuthorizationResponseError) {
    const isCanceled = error.error === 'access_denied';
    return unauthorized(isCanceled ? `The sign-in at ${name} was canceled.` : `${name} did not sign you in.`, error);
  }
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') {
    return unauthorized('This sign-in has ended or was used already. Please try again.', error);
  }
  if (error instanceof client.ClientError && error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    return unauthorized(`The clocks of this server and of ${name} differ. Please tell an admin.`, error);
  }
  return unauthorized(`The answer of ${name} could not be verified. Please try again.`, error);
}
