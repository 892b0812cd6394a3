import type { LtiMemberUpdate } from '@interview-prep/contracts/auth/lti';
import { HttpError } from '@interview-prep/kit/http/http-error';
import { z } from 'zod';
import type { Auth } from '../auth.ts';
import { OutboundFailure } from '../outbound/outbound-request.ts';
import { groupRoleOf, LtiPerson, membershipScope } from './claims.ts';
import type { StoredCourse, StoredPlatform } from './model.ts';
import { enterGroup, userOf } from './people.ts';
import { jsonOf } from './platform-client.ts';

/** One page of members. Source: LTI Names and Role Provisioning Services 2.0. */
const Page = z.object({
  members: z.array(
    z.object({
      user_id: z.string().min(1).max(2000),
      status: z.string().nullish(),
      roles: z.array(z.string()),
      ...LtiPerson.shape,
    }),
  ),
});
type Member = z.infer<typeof Page>['members'][number];

/** A platform that returns more pages than this is broken. */
const pagesMax = 200;

/** The next page's URL from the `Link` header; null on the last page. Source: RFC 8288. */
export function nextPage(link: string | string[] | undefined): string | null {
  for (const part of [link ?? []]
    .flat()
    .join(',')
    .split(/,(?=\s*<)/)) {
    const [, url, parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    if (url && /;\s*rel="?next"?\s*(;|$)/i.test(parameters)) return url;
  }
  return null;
}

async function readMembers({ lti }: Auth, platform: StoredPlatform, url: string): Promise<Member[]> {
  const members: Member[] = [];
  let next: string | null = url;
  for (let page = 0; next !== null && page < pagesMax; page += 1) {
    const accept = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json';
    const answer = await lti.client.call(platform, membershipScope, next, { headers: { accept } });
    const parsed = answer.status === 200 ? Page.safeParse(jsonOf(answer.body)) : null;
    if (!parsed?.success) throw new OutboundFailure(`${platform.name} did not give the members (${answer.status})`);
    members.push(...parsed.data.members);
    next = nextPage(answer.headers.link);
  }
  return members;
}

/** Adds the people of a course to its group, and stores its progress in the course. Never throws. */
export async function updateMembers(
  auth: Auth,
  course: StoredCourse,
  platform: StoredPlatform,
  startedAt: Date,
): Promise<void> {
  const { lti, log } = auth;
  const skipped: LtiMemberUpdate['skipped'] = [];
  const entering: { userId: string; role: 'coach' | 'member' }[] = [];
  let [added, fault]: [number, string | null] = [0, null];
  try {
    for (const member of await readMembers(auth, platform, course.membershipsUrl ?? '')) {
      const role = groupRoleOf(member.roles);
      if (role === null || (member.status ?? 'Active') !== 'Active') continue;
      const person = { sub: member.user_id, name: member.name, email: member.email };
      try {
        const user = await userOf(auth, platform, person);
        if (!user.suspendedAt) entering.push({ userId: String(user._id), role });
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const reason =
          error.code === 'account_exists'
            ? 'They have an account already, and link it at their first launch'
            : 'The platform shares no email address of theirs';
        skipped.push({ who: member.name ?? member.email ?? member.user_id, reason });
      }
    }
    added = (await enterGroup(auth, course, entering)).added;
  } catch (error) {
    fault =
      error instanceof OutboundFailure || error instanceof HttpError ? error.message : 'It failed. Please try again.';
    log.warn({ err: error, course: course._id }, 'updating the members of a course failed');
  }
  const memberUpdate = { startedAt, endedAt: new Date(), added, known: entering.length - added, skipped, fault };
  await lti.courses
    .updateOne({ _id: course._id }, { $set: { memberUpdate } })
    .catch((error: unknown) => log.warn({ err: error }, 'storing what an update of members came to failed'));
}
