import { z } from 'zod';
import { Message } from '../api/error-body.ts';
import { deliverableEmail, idParams, newPassword, objectId, requiredText, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { personName } from './users.ts';

/** A right within one group; not a role of the user. */
export const GroupRole = z.enum(['coach', 'member']);
export type GroupRole = z.infer<typeof GroupRole>;

/** A member or coach of a group. */
export const GroupPerson = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string().optional(),
  role: GroupRole,
  joinedAt: timestamp,
  /** False for people who don't receive coaches' mails: they opted out of mails about assigned work, or are suspended. */
  workMail: z.literal(false).optional(),
});
export type GroupPerson = z.infer<typeof GroupPerson>;

/** `queued`: not sent yet; `failed`: the mail server did not accept it for a day. */
export const InvitationState = z.enum(['queued', 'sent', 'failed', 'expired']);
export type InvitationState = z.infer<typeof InvitationState>;

/** A pending invitation of one email address. */
export const GroupInvitation = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().optional(),
  state: InvitationState,
  invitedAt: timestamp,
  expiresAt: timestamp,
});
export type GroupInvitation = z.infer<typeof GroupInvitation>;

/** A code for joining the group until it expires or its seats are taken. */
export const JoinCode = z.object({
  code: z.string(),
  seats: z.number().int(),
  seatsLeft: z.number().int(),
  expiresAt: timestamp,
});
export type JoinCode = z.infer<typeof JoinCode>;

/** A group in a list. */
export const Group = z.object({
  id: z.string(),
  name: z.string(),
  archivedAt: timestamp.nullable(),
  /** The reader's right in the group; null for an admin who isn't in it. */
  role: GroupRole.nullable(),
  /** The people who can see members' work for the group. */
  coaches: z.array(GroupPerson.pick({ userId: true, email: true, name: true })),
  memberCount: z.number().int(),
  createdAt: timestamp,
});
export type Group = z.infer<typeof Group>;

/** A group's page. Members don't see people, invitations or the code. */
export const GroupDetail = Group.extend({
  people: z.array(GroupPerson),
  invitations: z.array(GroupInvitation),
  joinCode: JoinCode.nullable(),
});
export type GroupDetail = z.infer<typeof GroupDetail>;

const name = requiredText('Name', limits.nameMaxLength);

/** Maximum number of people per invitation request. */
export const invitationsMax = 2000;

/** The people that a coach invites. */
export const NewInvitations = z.object({
  people: z
    .array(z.object({ email: deliverableEmail(), name: personName.default('') }), 'Please enter at least one address')
    .min(1, 'Please enter at least one address')
    .max(invitationsMax, 'Please invite at most 2,000 people at a time'),
});
export type NewInvitations = z.infer<typeof NewInvitations>;

/** A mail from a coach to people in the group: plain text. */
export const GroupMessage = z.object({
  userIds: z
    .array(objectId.toLowerCase(), 'Please choose the people')
    .min(1, 'Please choose at least one person')
    .max(5000, 'Please choose at most 5,000 people'),
  subject: requiredText('Subject', 150),
  text: requiredText('Message', 5000),
});
export type GroupMessage = z.infer<typeof GroupMessage>;

const seats = z
  .int('Please enter a number of seats')
  .min(1, 'At least one seat is needed')
  .max(5000, 'Please use at most 5,000 seats');

/** The secret to join a group: an invitation token or a code. Hyphens, whitespace and case of a code are ignored. */
const key = {
  token: z.string().trim().min(1).max(200).optional(),
  code: z.string().trim().min(1, 'Please enter the code').max(40, 'This code is not valid').optional(),
};
const oneKey = ({ token, code }: { token?: string | undefined; code?: string | undefined }) =>
  (token === undefined) !== (code === undefined);
const GroupKey = z.object(key).refine(oneKey, { path: ['code'], message: 'Please enter the code' });
export type GroupKey = z.infer<typeof GroupKey>;

/** The preview of an invitation or a code before joining. */
export const GroupPreview = z.object({
  groupName: z.string(),
  /** Names, or email addresses of coaches without a name. */
  coaches: z.array(z.string()),
  /** The invited email address; absent for a code. */
  email: z.string().optional(),
  /** Whether the invited person has to choose a password, since they can't sign in yet. */
  choosesPassword: z.boolean(),
});
export type GroupPreview = z.infer<typeof GroupPreview>;

const auth = routesOf('auth');
const detailResult = z.object({ group: GroupDetail });
const personParams = idParams.extend({ userId: objectId });

/** Routes for groups, their people, invitations and codes. To outsiders a group doesn't exist: they get 404. */
export const groupRoutes = {
  listGroups: auth.get('/api/groups', 'signed-in', {
    scopes: ['results:read', 'members:manage', 'sets:manage'],
    summary: "One's own groups, sorted by name; all groups for admins",
    description: "Names each group's coaches, since they can see members' work for the group.",
    result: z.object({ groups: z.array(Group) }),
    revalidated: true,
  }),
  createGroup: auth.post('/api/groups', 'admin', {
    scopes: ['members:manage'],
    summary: 'Create a group',
    description: 'Empty at first. Add a coach with PUT /api/groups/{id}/people/{userId}.',
    body: z.object({ name }),
    status: 201,
    result: detailResult,
    audit: { action: 'group.create' },
  }),
  getGroup: auth.get('/api/groups/:id', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'A group with its people and invitations',
    description: 'Members see only the group and its coaches.',
    params: idParams,
    result: detailResult,
    errorStatuses: [404],
    revalidated: true,
  }),
  updateGroup: auth.put('/api/groups/:id', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'Rename a group, archive it, or bring it back',
    description:
      'For its coaches and admins. Nobody can join an archived group; its invitations and code are disabled.',
    params: idParams,
    body: z.object({ name, archived: z.boolean('Please choose yes or no') }),
    result: detailResult,
    errorStatuses: [403, 404],
    audit: { action: 'group.update', target: 'group' },
  }),
  setGroupRole: auth.put('/api/groups/:id/people/:userId', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'Make someone a coach or a member of a group',
    description: 'Coaches can change people in the group. Admins can add anyone.',
    params: personParams,
    body: z.object({ role: z.enum(GroupRole.options, 'Please choose coach or member') }),
    result: detailResult,
    errorStatuses: [403, 404, 409],
    audit: { action: 'group.person', target: 'group' },
  }),
  leaveGroup: auth.delete('/api/groups/:id/people/:userId', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'Leave a group, or remove someone from it',
    description: 'They keep their work for the group; its coaches no longer see it.',
    params: personParams,
    errorStatuses: [403, 404],
    audit: { action: 'group.person', target: 'group' },
  }),
  invite: auth.post('/api/groups/:id/invitations', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'Invite people to a group by mail',
    description:
      'For its coaches and admins. Skips people who are already in the group. Inviting someone again sends a new mail, whose link replaces the earlier one. Without a mail server the response contains the links to pass on.',
    params: idParams,
    body: NewInvitations,
    result: detailResult.extend({
      invited: z.number().int(),
      /** Addresses of people who are already in the group. */
      skipped: z.array(z.string()),
      /** Only without a mail server; shown only in this response. */
      links: z.array(z.object({ email: z.string(), link: z.string() })).optional(),
    }),
    errorStatuses: [403, 404, 409],
    audit: { action: 'group.invite', target: 'group' },
  }),
  revokeInvitation: auth.delete('/api/groups/:id/invitations/:invitationId', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'Revoke an invitation',
    description: 'Its link stops working.',
    params: idParams.extend({ invitationId: objectId }),
    errorStatuses: [403, 404],
    audit: { action: 'group.invite', target: 'group' },
  }),
  messageGroup: auth.post('/api/groups/:id/messages', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'Send a mail to people in a group',
    description:
      "For its coaches and admins. Each recipient gets a separate mail, and replies go to the sender's address. People who opted out of mails about assigned work, or are suspended, are skipped and listed in `unreached`. At most 20 per hour. The text is kept until the mails are sent, and is not in the audit log. Without a mail server, 409.",
    params: idParams,
    body: GroupMessage,
    status: 200,
    result: z.object({ mailed: z.number().int(), unreached: z.array(z.string()) }),
    errorStatuses: [403, 404, 409, 429],
    audit: { action: 'group.message', target: 'group' },
  }),
  openJoinCode: auth.put('/api/groups/:id/join-code', 'signed-in', {
    scopes: ['members:manage'],
    summary: 'Create a code for joining a group',
    description: 'For its coaches and admins. Replaces any earlier code.',
    params: idParams,
    body: z.object({ seats, expiresAt: z.iso.datetime('Please choose until when it works') }),
    result: detailResult,
    errorStatuses: [403, 404, 409],
    audit: { action: 'group.code', target: 'group' },
  }),
  closeJoinCode: auth.delete('/api/groups/:id/join-code', 'signed-in', {
    scopes: ['members:manage'],
    summary: "Revoke a group's code",
    description: 'People who joined with it stay in the group.',
    params: idParams,
    errorStatuses: [403, 404],
    audit: { action: 'group.code', target: 'group' },
  }),
  previewGroup: auth.post('/api/groups/preview', 'anyone', {
    summary: 'Preview the group of an invitation or a code',
    description: "The group's name and coaches. 400 if the invitation or code is invalid.",
    body: GroupKey,
    result: GroupPreview,
    errorStatuses: [429],
  }),
  joinGroup: auth.post('/api/groups/join', 'signed-in', {
    summary: 'Join a group with an invitation or a code',
    description: 'An invitation can be used once, from any account. Joining again has no effect.',
    body: GroupKey,
    result: z.object({ groupId: z.string() }),
    errorStatuses: [409, 429],
    audit: { action: 'group.join' },
  }),
  acceptInvitation: auth.post('/api/groups/accept', 'anyone', {
    summary: 'Join a group as a new person, with the token of an invitation and a password',
    description:
      'Creates the account of the invited address, or sets its first password. 409 if the account already has a sign-in method: sign in, then join.',
    body: z.object({
      token: z.string('The invitation is missing').trim().min(1, 'The invitation is missing').max(200),
      name: personName.default(''),
      password: newPassword(),
    }),
    result: z.object({ email: z.string() }),
    errorStatuses: [403, 409, 429],
    audit: { action: 'group.join' },
  }),
  requestInvitation: auth.post('/api/groups/request-invitation', 'anyone', {
    summary: 'Request an invitation by mail, with a code',
    description:
      'The mail proves ownership of the address. The response is the same for every address. 409 without a mail server.',
    body: z.object({
      code: z.string('Please enter the code').trim().min(1, 'Please enter the code').max(40),
      email: deliverableEmail(),
    }),
    result: Message,
    errorStatuses: [409, 429],
    audit: { action: 'group.join' },
  }),
};
