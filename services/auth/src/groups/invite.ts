import type { NewInvitations } from '@interview-prep/contracts/auth/groups';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { joinUrl, makeInvitationToken } from './groups.ts';
import type { GroupRecord } from './model.ts';

/** How long an invitation works. */
const lifetimeMs = 14 * 24 * 60 * 60_000;

/**
 * Invites people to a group, or invites them again. Their mails are queued; without a mail server each gets a link to pass on.
 * @param options `byCode`: they asked for it with the code. What a coach has sent stays without a seat
 */
export async function invite(
  { users, groups, mails, sendsMail, publicUrl }: Pick<Auth, 'users' | 'groups' | 'mails' | 'sendsMail' | 'publicUrl'>,
  { _id: groupId, people }: GroupRecord,
  invited: NewInvitations['people'],
  { byCode = false } = {},
) {
  const names = new Map(invited.map(({ email, name }) => [email, name]));
  const inside = await users
    .find(
      { _id: trusted({ $in: people.map(({ userId }) => userId) }), email: trusted({ $in: [...names.keys()] }) },
      'email',
    )
    .lean();
  const skipped = inside.map(({ email }) => email);
  const emails = [...names.keys()].filter((email) => !skipped.includes(email));
  if (emails.length === 0) return { invited: 0, skipped };

  const invitedAt = new Date();
  const renewed = { invitedAt, expiresAt: new Date(invitedAt.getTime() + lifetimeMs) };
  await groups.invitations.bulkWrite(
    emails.map((email) => {
      const name = names.get(email);
      return {
        updateOne: {
          filter: { groupId, email },
          update: {
            $set: { ...renewed, ...(name ? { name } : {}) },
            $unset: { sentAt: 1, failedAt: 1, tokenHash: 1, ...(byCode ? {} : { byCode: 1 }) },
            ...(byCode ? { $setOnInsert: { byCode } } : {}),
          },
          upsert: true,
        },
      };
    }),
  );
  const records = await groups.invitations.find({ groupId, email: trusted({ $in: emails }) }).lean();
  if (sendsMail) {
    await mails.inviteToGroup(records);
    return { invited: records.length, skipped };
  }
  const links: { email: string; link: string }[] = [];
  for (const record of records) {
    const token = await makeInvitationToken(groups.invitations, record._id);
    await groups.invitations.updateOne({ _id: record._id }, { $set: { sentAt: invitedAt } });
    links.push({ email: record.email, link: joinUrl(publicUrl, { token }) });
  }
  return { invited: records.length, skipped, links };
}
