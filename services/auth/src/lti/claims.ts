import { z } from 'zod';

const lti = 'https://purl.imsglobal.org/spec/lti/claim';
const deepLinking = 'https://purl.imsglobal.org/spec/lti-dl/claim';

/** The names of claims. Source: LTI 1.3 and LTI Deep Linking 2.0. */
export const claimNames = {
  messageType: `${lti}/message_type`,
  version: `${lti}/version`,
  deploymentId: `${lti}/deployment_id`,
  targetLinkUri: `${lti}/target_link_uri`,
  roles: `${lti}/roles`,
  context: `${lti}/context`,
  resourceLink: `${lti}/resource_link`,
  custom: `${lti}/custom`,
  deepLinkingSettings: `${deepLinking}/deep_linking_settings`,
  contentItems: `${deepLinking}/content_items`,
  data: `${deepLinking}/data`,
  memberships: 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice',
  grades: 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint',
} as const;

export const scoreScope = 'https://purl.imsglobal.org/spec/lti-ags/scope/score';
/** The scope for reading the members of a course. */
export const membershipScope = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';

const text = z.string().min(1).max(2000);
/** Platforms send null for missing values. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);
/** Invalid values count as missing. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** A person's claims, in launches and in member lists. */
export const LtiPerson = z.object({
  name: lenient(maybe(z.string().trim().max(200))),
  email: lenient(maybe(z.string().trim().toLowerCase().max(254).check(z.email()))),
});

/** The claims of a launch that are used. */
export const LaunchClaims = z
  .object({
    sub: text,
    ...LtiPerson.shape,
    [claimNames.version]: z.literal('1.3.0'),
    [claimNames.messageType]: z.enum(['LtiResourceLinkRequest', 'LtiDeepLinkingRequest']),
    [claimNames.deploymentId]: text,
    [claimNames.roles]: z.array(z.string()),
    [claimNames.context]: z.object({ id: text, title: lenient(z.string()), label: lenient(z.string()) }),
    [claimNames.resourceLink]: maybe(z.object({ id: text, title: lenient(z.string()) })),
    [claimNames.custom]: lenient(z.object({ assignment: lenient(z.string().regex(/^[0-9a-f]{24}$/)) })),
    [claimNames.deepLinkingSettings]: maybe(
      z.object({
        deep_link_return_url: z.url({ protocol: /^https?$/ }),
        accept_types: z.array(z.string()),
        data: maybe(z.string()),
      }),
    ),
    [claimNames.memberships]: lenient(z.object({ context_memberships_url: z.url({ protocol: /^https?$/ }) })),
    [claimNames.grades]: lenient(
      z.object({ lineitem: lenient(z.url({ protocol: /^https?$/ })), scope: z.array(z.string()) }),
    ),
  })
  .transform((claims) => ({
    sub: claims.sub,
    name: claims.name,
    email: claims.email,
    isDeepLinking: claims[claimNames.messageType] === 'LtiDeepLinkingRequest',
    deploymentId: claims[claimNames.deploymentId],
    role: groupRoleOf(claims[claimNames.roles]),
    context: claims[claimNames.context],
    resourceLink: claims[claimNames.resourceLink],
    assignmentId: claims[claimNames.custom]?.assignment,
    returnTo: claims[claimNames.deepLinkingSettings],
    membershipsUrl: claims[claimNames.memberships]?.context_memberships_url,
    lineItemUrl: claims[claimNames.grades]?.scope.includes(scoreScope)
      ? claims[claimNames.grades]?.lineitem
      : undefined,
  }))
  .refine(({ isDeepLinking, returnTo, resourceLink }) => (isDeepLinking ? returnTo : resourceLink));
export type LaunchClaims = z.infer<typeof LaunchClaims>;

/** The group role for course roles; null for neither teachers nor students. Older platforms send the short names. */
export function groupRoleOf(roles: readonly string[]): 'coach' | 'member' | null {
  const has = (name: string) =>
    roles.some((role) => role === name || role === `http://purl.imsglobal.org/vocab/lis/v2/membership#${name}`);
  return has('Instructor') ? 'coach' : has('Learner') ? 'member' : null;
}
