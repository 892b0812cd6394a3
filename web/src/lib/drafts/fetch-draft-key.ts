import { unattendedHeader } from '@interview-prep/contracts/api/unattended-header';
import { routeUrl } from '../api/route-request.ts';

const timeoutMs = 10_000;

/**
 * Fetches the key of the signed-in user's drafts, as base64url. Not by RTK Query, whose cache any script of the page could
 * read. It does not count as a use of the sign-in.
 * @throws where there is no key to be had now
 */
export async function fetchDraftKey(token: string | null): Promise<string> {
  const response = await fetch(routeUrl('draftKey'), {
    headers: { Authorization: `Bearer ${token}`, [unattendedHeader]: '1' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`No key for drafts: ${response.status}`);
  const { key } = (await response.json()) as { key: string };
  return key;
}
