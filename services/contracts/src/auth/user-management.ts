import { z } from 'zod';
import { idParams } from '../api/fields.ts';
import { defineRoute } from '../api/route.ts';
import { PasswordLink } from './password-link.ts';
import { Role, User } from './users.ts';

const auth = { service: 'auth' } as const;

/** What admins do to the accounts of others. */
export const userManagementRoutes = {
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
