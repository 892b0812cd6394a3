import { z } from 'zod';
import { deliverableEmail, idParams, newPassword, slug } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { PasswordLink } from './password-link.ts';
import { personName, Role, User } from './users.ts';

/** A user with any role, created by an admin. Without a password the user is invited. */
export const NewUser = z.object({
  email: deliverableEmail(),
  name: personName.default(''),
  role: z.enum(Role.options, 'Please choose a role'),
  password: newPassword().optional(),
  technologies: z.array(slug).max(100, 'Too many technologies').default([]),
});
export type NewUser = z.infer<typeof NewUser>;

/** Maximum number of people per file, and per call of `importUsers`. */
export const importMax = { perFile: 2000, perCall: 100 } as const;

/** A person in an imported list; the default role is candidate. */
export const ImportedPerson = z.object({
  email: deliverableEmail(),
  name: personName.default(''),
  role: z.enum(Role.options, 'Role must be candidate, developer or admin').default('others'),
});
export type ImportedPerson = z.infer<typeof ImportedPerson>;

/** The user with an imported email. Existing users are not changed. */
export const ImportedUser = z.object({
  id: z.string(),
  email: z.string(),
  isNew: z.boolean(),
  /** Only for new users who were to be invited. */
  passwordLink: PasswordLink.optional(),
});
export type ImportedUser = z.infer<typeof ImportedUser>;

const auth = routesOf('auth');

/** Admin routes for other people's accounts. */
export const userManagementRoutes = {
  createUser: auth.post('/api/users', 'admin', {
    summary: 'Create a user with a role and a name',
    description:
      'Without a password the user gets a link to set one: by mail, or in the response if there is no mail server. Requires a fresh sign-in.',
    body: NewUser,
    status: 201,
    result: z.object({ user: User, passwordLink: PasswordLink.optional() }),
    errorStatuses: [409],
    audit: { action: 'user.create' },
  }),
  importUsers: auth.post('/api/users/import', 'admin', {
    summary: 'Import a list of users, skipping existing ones',
    description:
      'Existing users are not changed, so the call can be repeated. With invite, new users get a link to set a password: by mail, or in the response if there is no mail server. If any row is invalid, no user is created. Requires a fresh sign-in.',
    body: z.object({
      people: z
        .array(ImportedPerson, 'A list of people is required')
        .min(1, 'A list of people is required')
        .max(importMax.perCall, `Please send at most ${importMax.perCall} people at a time`),
      invite: z.boolean('Please choose yes or no').default(false),
    }),
    result: z.object({ users: z.array(ImportedUser) }),
    errorStatuses: [409],
    audit: { action: 'user.import' },
  }),
  suspendUser: auth.put('/api/users/:id/suspension', 'admin', {
    summary: 'Suspend another user, or lift the suspension',
    description:
      'A suspended user is signed out immediately and cannot sign in; their data is kept. The last admin cannot be suspended. Requires a fresh sign-in.',
    params: idParams,
    body: z.object({ suspended: z.boolean('Please choose yes or no') }),
    result: z.object({ user: User }),
    errorStatuses: [404, 409],
    versioned: true,
    audit: { action: 'user.suspend', target: 'user' },
  }),
  changeEmail: auth.put('/api/users/:id/email', 'admin', {
    summary: "Change another user's email",
    description:
      "Revokes the user's sign-ins, since their tokens contain the email, and all links sent to the old one. Requires a fresh sign-in.",
    params: idParams,
    body: z.object({ email: deliverableEmail() }),
    result: z.object({ user: User }),
    errorStatuses: [404, 409],
    versioned: true,
    audit: { action: 'user.email', target: 'user' },
  }),
  changeName: auth.put('/api/users/:id/name', 'admin', {
    summary: "Change another user's name",
    description: 'A blank name removes it.',
    params: idParams,
    body: z.object({ name: personName }),
    result: z.object({ user: User }),
    errorStatuses: [404],
    versioned: true,
    audit: { action: 'user.update', target: 'user' },
  }),
  changeRole: auth.put('/api/users/:id/role', 'admin', {
    summary: "Change another user's role",
    description:
      "Revokes the user's sign-ins, since their tokens contain the role. The last admin's role cannot be changed. Requires a fresh sign-in.",
    params: idParams,
    body: z.object({ role: z.enum(Role.options, 'Please choose a role') }),
    result: z.object({ user: User }),
    errorStatuses: [404, 409],
    versioned: true,
    audit: { action: 'user.role', target: 'user' },
  }),
  sendPasswordLink: auth.post('/api/users/:id/password-link', 'admin', {
    summary: 'Send another user a link to set a new password',
    description:
      'Sent by mail; without a mail server the response contains the link. A user without a password is invited again. Earlier links stop working. Requires a fresh sign-in.',
    params: idParams,
    result: z.object({ passwordLink: PasswordLink }),
    errorStatuses: [404],
    audit: { action: 'password.reset-mail', target: 'user' },
  }),
  endSignIns: auth.delete('/api/users/:id/sign-ins', 'admin', {
    summary: "End another user's sign-ins",
    description: 'Revokes all tokens of the user immediately, in every service. Requires a fresh sign-in.',
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'sign-in.end', target: 'user' },
  }),
};
