import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { AuditEvent } from '../audit/audit-event.ts';
import { AccountSecurity } from './account-security.ts';
import { ApiKey } from './api-keys.ts';
import { GroupPerson } from './groups.ts';
import { SignInPlace } from './sign-ins.ts';
import { User } from './users.ts';
import { Webhook } from './webhooks.ts';

/** How many of a person's most recent audit events the export includes. */
export const accountEventsMax = 1000;

/** The data that auth stores about a person, for "Download my data". Contains no secrets. */
export const AccountData = z.object({
  user: User,
  /** Whether a Google account is linked. */
  google: z.boolean(),
  security: AccountSecurity,
  /** The groups that the person belongs to. */
  groups: z.array(GroupPerson.pick({ role: true, joinedAt: true }).extend({ name: z.string() })),
  /** API keys, without the keys themselves. */
  apiKeys: z.array(ApiKey.omit({ owner: true })).default([]),
  /** Webhooks, without their signing secrets. */
  webhooks: z.array(Webhook.pick({ url: true, events: true, createdAt: true })).default([]),
  /** Learning platforms that the person signs in with. */
  platforms: z.array(z.string()).default([]),
  /** Scores sent to courses. `sentAt` is null until the course has accepted the score. */
  courseScores: z
    .array(z.object({ course: z.string(), activity: z.string(), score: z.number(), sentAt: timestamp.nullable() }))
    .default([]),
  signIns: z.array(SignInPlace.omit({ network: true, isThis: true })),
  /** The person's own actions in the audit log, newest first. */
  events: z.array(AuditEvent.pick({ at: true, action: true, outcome: true, address: true, details: true })),
});
export type AccountData = z.infer<typeof AccountData>;

const auth = routesOf('auth');

export const accountDataRoutes = {
  accountData: auth.get('/api/auth/account-data', 'signed-in', {
    summary: "An account's stored data: profile, sign-ins, factors without secrets, recent events",
    description:
      "Part of the zip file of POST /api/recordings/export. Defaults to one's own data; only admins can request another user's, with a fresh sign-in.",
    query: z.object({ userId: objectId.toLowerCase().optional() }),
    result: AccountData,
    errorStatuses: [403, 404],
  }),
};
