import { z } from 'zod';
import { deliverableEmail, idParams, newPassword, slug } from '../api/fields.ts';
import { defineRoute } from '../api/route.ts';
import { PasswordLink } from './password-link.ts';
import { personName, Role, User } from './users.ts';

/** A user of any role whom an admin creates. Without a password they are invited. */
export const NewUser = z.object({
  email: deliverableEmail(),
  name: personName.default(''),
  role: z.enum(Role.options, 'Please choose a role'),
  password: newPassword().optional(),
  technologies: z.array(slug).max(100, 'Too many technologies').default([]),
});
export type NewUser = z.infer<typeof NewUser>;

const auth = { service: 'auth' } as const;

/** What admins do to the accounts of others. */
export const userManagementRoutes = {
  createUser: defineRoute({
    ...auth,
    method: 'post',
    path: '/api/users',
    access: 'admin',
    summary: 'Create a user with a role and a name',
    description:
      'Without a password they get a link with which they set one: by mail, or in the answer where there is no mail server. Needs a fresh sign-in.',
    body: NewUser,
    status: 201,
    result: z.object({ user: User, passwordLink: PasswordLink.optional() }),
    errorStatuses: [409],
    audit: { action: 'user.create' },
  }),
  suspendUser: defineRoute({
    ...auth,
    method: 'put',
    path: '/api/users/:id/suspension',
    access: 'admin',
    summary: 'Suspend another user, or lift the suspension',
    description:
      'A suspended user is signed out at once and cannot sign in; what is theirs stays. The only admin cannot be suspended. Needs a fresh sign-in.',
    params: idParams,
    body: z.object({ suspended: z.boolean('Please choose yes or no') }),
    result: z.object({ user: User }),
    errorStatuses: [404, 409],
    audit: { action: 'user.suspend', target: 'user' },
  }),
  changeEmail: defineRoute({
    ...auth,
    method: 'put',
    path: '/api/users/:id/email',
    access: 'admin',
    summary: "Change another user's email",
    description:
      'Ends the sign-ins of the user, since each token names the email, and every link that was sent to the old one. Needs a fresh sign-in.',
    params: idParams,
    body: z.object({ email: deliverableEmail() }),
    result: z.object({ user: User }),
    errorStatuses: [404, 409],
    audit: { action: 'user.email', target: 'user' },
  }),
  changeRole: defineRoute({
    ...auth,
    method: 'put',
    path: '/api/users/:id/role',
    access: 'admin',
    summary: "Change another user's role",
    description:
      'Ends the sign-ins of the user, since each token names the role. The only admin stays one. Needs a fresh sign-in.',
    params: idParams,
    body: z.object({ role: z.enum(Role.options, 'Please choose a role') }),
    result: z.object({ user: User }),
    errorStatuses: [404, 409],
    audit: { action: 'user.role', target: 'user' },
  }),
  sendPasswordLink: defineRoute({
    ...auth,
    method: 'post',
    path: '/api/users/:id/password-link',
    access: 'admin',
    summary: 'Send another user a link that sets a new password',
    description:
      'By mail; without a mail server the answer has the link. A user without a password is invited again. Earlier links stop working. Needs a fresh sign-in.',
    params: idParams,
    result: z.object({ passwordLink: PasswordLink }),
    errorStatuses: [404],
    audit: { action: 'password.reset-mail', target: 'user' },
  }),
  endSignIns: defineRoute({
    ...auth,
    method: 'delete',
    path: '/api/users/:id/sign-ins',
    access: 'admin',
    summary: "End another user's sign-ins",
    description: 'Revokes every token of the user at once, in every service. Needs a fresh sign-in.',
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'sign-in.end', target: 'user' },
  }),
};
