import type { NewInvitations } from '@interview-prep/contracts/auth/groups';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { joinUrl, makeInvitationToken } from './groups.ts';
import type { GroupRecord } from './model.ts';

const lifetimeMs = 14 * 24 * 60 * 60_000;

/**
 * Invites or reinvites people to a group. Their mails are queued; without a mail server, links to pass on are returned.
 * @param options `byCode`: requested with the group's code, so it takes a seat. Invitations from a coach never do
 */
export async function invite(
  { users, groups, mails, sendsMail, publicUrl }: Pick<Auth, 'users' | 'groups' | 'mails' | 'sendsMail' | 'publicUrl'>,
  { _id: groupId, people }: GroupRecord,
  invited: NewInvitations['people'],
  { byCode = false } = {},
) {
  const names = new Map(invited.map(({ email, name }) => [email, name]));
  // Compare thousands of addresses in memory: such a long list in a filter is slow.
  const inside = await users.find({ _id: trusted({ $in: people.map(({ userId }) => userId) }) }, 'email').lean();
  const skipped = inside.flatMap(({ email }) => (names.has(email) ? [email] : []));
  for (const email of skipped) names.delete(email);
  if (names.size === 0) return { invited: 0, skipped };

  const invitedAt = new Date();
  const renewed = { invitedAt, expiresAt: new Date(invitedAt.getTime() + lifetimeMs) };
  const find = async () => (await groups.invitations.find({ groupId }).lean()).filter(({ email }) => names.has(email));
  const known = await find();
  if (known.length > 0) {
    const $unset = { sentAt: 1, failedAt: 1, tokenHash: 1, ...(byCode ? {} : { byCode: 1 }) };
    await groups.invitations.updateMany(
      { _id: trusted({ $in: known.map(({ _id }) => _id) }) },
      { $set: renewed, $unset },
    );
  }
  // Use one bulk command: 2,000 upserts would take many times as long.
  const knownEmails = new Set(known.map(({ email }) => email));
  const added = [...names].flatMap(([email, name]) =>
    knownEmails.has(email)
      ? []
      : [{ groupId, email, ...(name ? { name } : {}), ...(byCode ? { byCode } : {}), ...renewed }],
  );
  await groups.invitations.insertMany(added, { ordered: false }).catch((error: unknown) => {
    // A concurrent request invited the same people.
    if (!isDuplicateKey(error)) throw error;
  });
  const records = await find();
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
