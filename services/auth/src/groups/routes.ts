import { groupRoutes } from '@interview-prep/contracts/auth/groups';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { withRetries } from '@interview-prep/kit/http/edit-version';
import { conflict, invalidField, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Auth } from '../auth.ts';
import { archived } from './groups.ts';
import { invite } from './invite.ts';
import { makeCode } from './join-code.ts';

const codeLifetimeMs = 366 * 24 * 60 * 60_000;

/** Audit details of a change to a person in a group. */
const onPerson = (groupId: string, userId: string, change: { from: string; to: string }) => ({
  target: `user:${userId}`,
  details: { group: groupId.toLowerCase(), ...change },
});

/** Routes for coaches and admins to manage groups, their people, invitations and codes. */
export function serveGroups(server: RouteServer, auth: Auth): void {
  const { users, groups } = auth;
  const { requireCoach, requireInside, change } = groups;

  server.serve(groupRoutes.listGroups, async ({ user: { sub, role } }) => {
    const records = await groups.groups
      .find(role === 'admin' ? {} : { 'people.userId': sub })
      .sort({ name: 1, _id: 1 })
      .lean();
    return { groups: await groups.list(records, sub) };
  });

  server.serve(groupRoutes.createGroup, async ({ body: { name }, user, res }) => {
    const record = await groups.groups.create({ name, people: [] });
    addToAudit(res, { target: `group:${record._id}` });
    await auth.groupOutbox.publish(record);
    return { group: await groups.detail(record.toObject(), user.sub, true) };
  });

  server.serve(groupRoutes.getGroup, async ({ params, user }) => {
    const record = await requireInside(params.id, user);
    const own = record.people.find(({ userId }) => userId === user.sub);
    return { group: await groups.detail(record, user.sub, user.role === 'admin' || own?.role === 'coach') };
  });

  server.serve(groupRoutes.updateGroup, async ({ params, body, user, res }) => {
    const before = await requireCoach(params.id, user);
    const stateOf = (isArchived: boolean) => (isArchived ? 'archived' : 'active');
    addToAudit(res, { details: { from: stateOf(before.archivedAt !== null), to: stateOf(body.archived) } });
    const archivedAt = body.archived ? (before.archivedAt ?? new Date()) : null;
    const changed = await change({ _id: before._id }, { $set: { name: body.name, archivedAt } });
    if (!changed) throw notFound('Group not found');
    return { group: await groups.detail(changed, user.sub, true) };
  });

  server.serve(groupRoutes.setGroupRole, async ({ params, body: { role }, user, res }) => {
    const userId = params.userId.toLowerCase();
    const changed = await withRetries(async () => {
      const { _id, revision, people, archivedAt } = await requireCoach(params.id, user);
      if (archivedAt) throw archived();
      const known = people.find((person) => person.userId === userId);
      addToAudit(res, onPerson(params.id, userId, { from: known?.role ?? '', to: role }));
      // Otherwise coaches could add any account, and so learn its name.
      if (!known && (user.role !== 'admin' || !(await users.exists({ _id: userId, deletedAt: null }))))
        throw notFound('This person is not in the group');
      const others = people.filter((person) => person !== known);
      const person = { userId, role, joinedAt: known?.joinedAt ?? new Date() };
      return change({ _id, revision }, { $set: { people: [...others, person] } });
    });
    return { group: await groups.detail(changed, user.sub, true) };
  });

  server.serve(groupRoutes.leaveGroup, async ({ params, user, res }) => {
    const userId = params.userId.toLowerCase();
    const find = userId === user.sub ? requireInside : requireCoach;
    const { _id, people } = await find(params.id, user);
    const person = people.find((each) => each.userId === userId);
    if (!person) throw notFound('This person is not in the group');
    addToAudit(res, onPerson(params.id, userId, { from: person.role, to: '' }));
    await change({ _id }, { $pull: { people: { userId } } });
    const left = await users.findOne({ _id: userId }, 'email').lean();
    if (left) await groups.invitations.deleteMany({ groupId: _id, email: left.email });
    return null;
  });

  server.serve(groupRoutes.invite, async ({ params, body, user, res }) => {
    const record = await requireCoach(params.id, user);
    if (record.archivedAt) throw archived();
    const { invited, skipped, links } = await invite(auth, record, body.people);
    addToAudit(res, { details: { invited } });
    return { group: await groups.detail(record, user.sub, true), invited, skipped, ...(links ? { links } : {}) };
  });

  server.serve(
    groupRoutes.messageGroup,
    async ({ params, body, user, res }) => {
      const { _id, name, people, archivedAt } = await requireCoach(params.id, user);
      if (archivedAt) throw archived();
      const inside = new Set(people.map(({ userId }) => userId));
      const stranger = body.userIds.findIndex((id) => !inside.has(id));
      if (stranger >= 0) throw invalidField(`userIds.${stranger}`, 'This person is not in the group');
      if (!auth.sendsMail) throw conflict('This server sends no mail.');
      const { subject, text, userIds } = body;
      const message = { subject, text, senderId: user.sub, groupId: String(_id), groupName: name };
      const result = await auth.mails.messageGroup([...new Set(userIds)], message);
      addToAudit(res, { details: { members: result.mailed } });
      return result;
    },
    ...auth.limits.messageGroup,
  );

  server.serve(groupRoutes.revokeInvitation, async ({ params, user }) => {
    const { _id: groupId } = await requireCoach(params.id, user);
    const { deletedCount } = await groups.invitations.deleteOne({ _id: params.invitationId, groupId });
    if (deletedCount === 0) throw notFound('Invitation not found');
    return null;
  });

  server.serve(groupRoutes.openJoinCode, async ({ params, body: { seats, expiresAt }, user }) => {
    const record = await requireCoach(params.id, user);
    if (record.archivedAt) throw archived();
    const untilMs = Date.parse(expiresAt) - Date.now();
    if (untilMs <= 0 || untilMs > codeLifetimeMs)
      throw invalidField(
        'expiresAt',
        untilMs <= 0 ? 'Please choose a time to come' : 'Please choose a time within a year',
      );
    const join = { code: makeCode(), seats, left: seats, expiresAt: new Date(expiresAt) };
    const changed = await groups.groups
      .findOneAndUpdate({ _id: record._id, archivedAt: null }, { $set: { join } }, { returnDocument: 'after' })
      .lean();
    if (!changed) throw archived();
    return { group: await groups.detail(changed, user.sub, true) };
  });

  server.serve(groupRoutes.closeJoinCode, async ({ params, user }) => {
    const { _id } = await requireCoach(params.id, user);
    await groups.groups.updateOne({ _id }, { $unset: { join: 1 } });
    return null;
  });
}
