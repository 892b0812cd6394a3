import type { Random } from '../random.ts';
import type { Answer, Client } from './client.ts';
import type { Journal } from './journal.ts';

/** How a revoked token is refused. */
const signedOut = 'You have been signed out. Please sign in again.';

const messageOf = ({ body }: Answer) => (body as { message?: string } | undefined)?.message;

/** Signs a user out of the token in use, after another sign-in. An acknowledged token must stay dead. */
export async function logOut(client: Client, revoked: string[], journal: Journal): Promise<void> {
  const { token } = client;
  const operation = journal.begin(client.email, 'logout', `token ${token?.slice(-12) ?? ''}`);
  const next = await client.signIn(operation);
  if (!next || !token) {
    if (next) client.token = next;
    journal.end(operation, false);
    return;
  }
  client.token = next;
  const answer = await client.call(operation, { method: 'POST', path: '/api/auth/logout', token });
  // The answer to the call that revoked it may have been lost. A clock that is ahead ends sign-ins only while it is: nobody
  // seems to have used them for too long.
  const isRevoked = answer?.status === 204 || (answer?.status === 401 && messageOf(answer) === signedOut);
  if (isRevoked) revoked.push(token);
  journal.end(operation, isRevoked);
}

/** Calls with a revoked token, which must be refused. */
export async function tryRevokedToken(
  client: Client,
  revoked: readonly string[],
  random: Random,
  journal: Journal,
): Promise<void> {
  if (revoked.length === 0) return;
  const token = random.pick(revoked);
  const operation = journal.begin(client.email, 'revoked token', `token ${token.slice(-12)}`);
  const path = random.pick(['/api/auth/me', '/api/practice/history', '/api/interviews/sets']);
  const answer = await client.call(operation, { method: 'GET', path, token });
  journal.end(operation, answer?.status === 401);
  if (answer && answer.status !== 401) {
    const what = `GET ${path} with a revoked token answered ${answer.status}`;
    journal.report('token', what, operation.subject, operation.faults);
  }
}
