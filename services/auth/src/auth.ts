import type { GroupRole } from '@interview-prep/contracts/auth/groups';
import type { WebhookEvent } from '@interview-prep/contracts/auth/webhooks';
import type { GroupSnapshot, UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { AuditTrail } from '@interview-prep/kit/audit/audit-trail';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { createOutbox } from '@interview-prep/kit/redis/outbox';
import { createTokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import { mediaHostCookie } from '@interview-prep/kit/tokens/media-tokens';
import { createResetTicketVerifier } from '@interview-prep/kit/tokens/reset-tickets';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { apiKeyModel } from './api-keys/model.ts';
import { openAudit } from './audit/open-audit.ts';
import type { AuthSettings } from './config.ts';
import { createGroups } from './groups/groups.ts';
import { type GroupRecord, groupModels } from './groups/model.ts';
import { oidcAttempts } from './identities/oidc-attempts.ts';
import { createOidcProvider, providerOptions } from './identities/oidc-provider.ts';
import { providersOf } from './identities/providers.ts';
import { openLti } from './lti/lti.ts';
import { ltiModels } from './lti/model.ts';
import { openMailOutbox } from './mails/mail-outbox.ts';
import { mailRequestModel } from './mails/mail-requests.ts';
import { createMailer } from './mails/mailer.ts';
import { createPasskeys, relyingPartyOf } from './passkeys/check-passkeys.ts';
import { passkeyModel } from './passkeys/model.ts';
import { passkeyChallenges } from './passkeys/passkey-challenges.ts';
import { createBreachCheck } from './passwords/breached-passwords.ts';
import { createPasswordHashes } from './passwords/password-hashes.ts';
import { createPasswordLinks } from './passwords/password-links.ts';
import { createPasswordPolicy } from './passwords/password-policy.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { syncRevokedTokens } from './revoked-tokens/revoked-tokens.ts';
import { isFreshSignIn, requireFreshSignIn } from './second-factor/fresh-sign-in.ts';
import { createSecondFactors } from './second-factor/second-factors.ts';
import { signInChallenges } from './second-factor/sign-in-challenges.ts';
import type { HashCost } from './secrets/hash-cost.ts';
import { createSealedSecrets } from './secrets/sealed-secrets.ts';
import { createAttemptLimits } from './sign-in/attempt-limits.ts';
import { createGoogleAccounts } from './sign-in/google.ts';
import { signInModel } from './sign-ins/model.ts';
import { openSignIns } from './sign-ins/open-sign-ins.ts';
import { openKeyring, revokedKids } from './signing-keys/keyring.ts';
import { createAccessTokenSigner, createNewSignIn } from './signing-keys/sign-access-token.ts';
import { storedKeyModel } from './signing-keys/stored-keys.ts';
import { createAdminLock, createLocks } from './store/locks.ts';
import { revokedTokenModel } from './store/revoked-token-model.ts';
import { createDraftKeys } from './users/draft-keys.ts';
import { knownTechnologies } from './users/known-technologies.ts';
import { type UserDocument, type UserRecord, userModel } from './users/model.ts';
import { webhookModels } from './webhooks/model.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

/** Publishes a user's current state, or their deletion, to recording and history. */
async function publishUser(user: UserDocument, jobs: JobProducer): Promise<void> {
  const snapshot: UserSnapshot = {
    userId: user._id.toHexString(),
    email: user.email,
    role: user.role,
    lastLogin: user.lastLogin?.toISOString() ?? null,
    deletedAt: user.deletedAt?.toISOString() ?? null,
    ...(user.eraseData ? { eraseData: true } : {}),
    ...(user.suspendedAt ? { suspended: true } : {}),
    ...(user.sharesEndedAt ? { sharesEndedAt: user.sharesEndedAt.toISOString() } : {}),
    revision: user.revision,
  };
  await jobs.add('recording', 'user-changed', snapshot);
  await jobs.add('history', 'user-changed', snapshot);
}

/** Publishes a group's members to recording and history. */
async function publishGroup({ _id, people, archivedAt, revision }: GroupRecord, jobs: JobProducer): Promise<void> {
  const idsOf = (wanted: GroupRole) => people.flatMap(({ userId, role }) => (role === wanted ? [userId] : []));
  const snapshot: GroupSnapshot = {
    groupId: String(_id),
    archived: archivedAt !== null,
    coaches: idsOf('coach'),
    members: idsOf('member'),
    revision,
  };
  await jobs.add('recording', 'group-changed', snapshot);
  await jobs.add('history', 'group-changed', snapshot);
}

/** Webhook events for members who joined in the last hour. Older ones are skipped, since every change republishes the group. */
function joinedLately({ _id, people }: GroupRecord): WebhookEvent[] {
  const groupId = String(_id);
  const since = Date.now() - 60 * 60_000;
  const lately = [...people].filter(({ role, joinedAt }) => role === 'member' && joinedAt.getTime() > since);
  return lately.map(({ userId, joinedAt }) => ({
    id: `joined ${groupId} ${userId} ${joinedAt.getTime()}`,
    type: 'member.joined',
    at: joinedAt.toISOString(),
    userId,
    groupId,
    data: {},
  }));
}

/** The dependencies of the routes. */
export type Auth = Awaited<ReturnType<typeof openAuth>>;

/** The stores of auth, and the queues that it publishes to. */
interface AuthConnections {
  mongo: Connection;
  redis: Redis;
  jobs: JobProducer;
  /** Records the system's own actions. */
  audit: Pick<AuditTrail, 'record'>;
  log: Logger;
  /** The clock for authenticator codes and signing keys, in ms since 1970; replaced in tests. */
  now?: () => number;
  /** The cost of hashing passwords and recovery codes; lower only in tests. */
  hashCost?: HashCost;
  /** How often auth looks for new signing keys, and whether Redis has lost the denylist; more often only in tests. */
  pollMs?: number | undefined;
  /** Erases mail to an address from the built-in mail catcher. */
  eraseMail?: (email: string) => Promise<unknown>;
}

/** Opens the collections, builds their indexes, and starts the background work: keyring, denylist, outbox, mails. */
export async function openAuth(
  { mongo, redis, jobs, audit, log, now, hashCost, pollMs, eraseMail = async () => undefined }: AuthConnections,
  settings: Omit<AuthSettings, 'HOST' | 'PORT' | 'MONGODB_URI' | 'REDIS_URL'>,
) {
  const prefix = settings.REDIS_PREFIX;
  const users = userModel(mongo);
  const revokedTokenRecords = revokedTokenModel(mongo);
  const signInRecords = signInModel(mongo);
  const requests = mailRequestModel(mongo);
  const inGroups = groupModels(mongo);
  const apiKeys = apiKeyModel(mongo);
  const inWebhooks = webhookModels(mongo);
  const inLti = ltiModels(mongo);
  const technologies = knownTechnologies(mongo);
  const challenges = signInChallenges(mongo);
  const passkeyRecords = passkeyModel(mongo);
  const openPasskeyChallenges = passkeyChallenges(mongo);
  const passkeySite = relyingPartyOf(settings.PUBLIC_URL);
  const storedKeys = storedKeyModel(mongo);
  const ltiKeys = storedKeyModel(mongo, 'lti');
  const secrets = createSealedSecrets(settings.KEY_ENCRYPTION_KEY, settings.KEY_ENCRYPTION_KEY_PREVIOUS);
  const attempts = oidcAttempts(mongo, secrets);
  const locks = createLocks(mongo);
  await buildIndexes(mongo);

  const oidc = providerOptions(settings);
  const oidcProvider = oidc && createOidcProvider(oidc, attempts, log);
  const denylist = createTokenDenylist(redis, prefix);
  const keyring = await openKeyring({ model: storedKeys, secrets, denylist, audit, log, now, pollMs });
  const ltiKeyring = await openKeyring({ model: ltiKeys, secrets, denylist, audit, log, now });
  const resealing = resealSecrets(users, inWebhooks.webhooks, secrets, log);
  const newSignIn = createNewSignIn(settings.TOKEN_LIFETIME, settings.SIGN_IN_IDLE_MINUTES * 60);
  const signAccessToken = createAccessTokenSigner(keyring, newSignIn);
  const stored = { revokedTokens: revokedTokenRecords, signIns: signInRecords, denylist, log };
  const revokedTokens = syncRevokedTokens({
    ...stored,
    users,
    revokedKids: () => revokedKids(storedKeys),
    redis,
    checkEveryMs: pollMs,
  });
  const { revokeSignIn } = revokedTokens;
  const signIns = openSignIns({ ...stored, newSignIn, signAccessToken, revokeSignIn, redis, prefix });
  const outbox = createOutbox<UserRecord>({
    name: 'users',
    model: users,
    emit: (user) => publishUser(user, jobs),
    redis,
    prefix,
    log,
  });
  const sendsMail = settings.SMTP_URL !== undefined;
  const groupOutbox = createOutbox<GroupRecord>({
    name: 'groups',
    model: inGroups.groups,
    emit: async (group) => {
      await publishGroup(group, jobs);
      await webhooks.announce(...joinedLately(group));
    },
    redis,
    prefix,
    log,
  });
  const groups = createGroups(inGroups, users, groupOutbox);
  const isCoach = groups.isCoach;
  const webhooks = openWebhooks({
    models: inWebhooks,
    users,
    isCoach,
    secrets,
    networks: settings.WEBHOOK_NETWORKS,
    log,
  });
  const lti = openLti({
    models: inLti,
    users,
    keyring: ltiKeyring,
    networks: settings.WEBHOOK_NETWORKS,
    jobs,
    log,
  });
  await groups.forgetDeleted();
  const mails = openMailOutbox({
    users,
    groups: inGroups,
    isCoach,
    requests,
    mailer: settings.SMTP_URL === undefined ? null : createMailer(settings.SMTP_URL, settings.MAIL_FROM),
    publicUrl: settings.PUBLIC_URL,
    log,
  });

  return {
    users,
    outbox,
    mails,
    groups,
    apiKeys,
    webhooks,
    lti,
    secrets,
    groupOutbox,
    publicUrl: settings.PUBLIC_URL,
    sendsMail,
    passwordLinks: createPasswordLinks(users, mails, settings.PUBLIC_URL, sendsMail),
    locks,
    adminLock: createAdminLock(locks, users),
    technologies,
    challenges,
    passkeyRecords,
    passkeySite,
    // A logout clears it.
    mediaCookie: mediaHostCookie(settings.PUBLIC_URL),
    passkeys: createPasskeys(passkeyRecords, openPasskeyChallenges, passkeySite),
    secondFactors: createSecondFactors(users, secrets, settings.LOGIN_ATTEMPTS, now, hashCost),
    draftKeys: createDraftKeys(users, secrets),
    factorRoles: new Set(settings.MFA_REQUIRED_ROLES),
    isFreshSignIn,
    requireFreshSignIn,
    revokedTokens,
    keyring,
    signIns,
    signInRecords,
    passwords: await createPasswordHashes(hashCost),
    passwordPolicy: createPasswordPolicy(
      settings.PASSWORD_BREACH_URL === undefined ? null : createBreachCheck(settings.PASSWORD_BREACH_URL, log),
    ),
    signAccessToken,
    verify: createTokenVerifier(async (kid) => keyring.find(kid), denylist),
    verifyResetTicket: createResetTicketVerifier(async (kid) => keyring.find(kid), denylist),
    googleAccounts:
      settings.GOOGLE_CLIENT_ID === undefined
        ? null
        : createGoogleAccounts({
            ...settings.GOOGLE_CLIENT_ID,
            tokenInfoUrl: settings.GOOGLE_TOKENINFO_URL,
            userInfoUrl: settings.GOOGLE_USERINFO_URL,
          }),
    oidcProvider,
    providers: providersOf(settings.GOOGLE_CLIENT_ID !== undefined, oidcProvider),
    limits: createAttemptLimits(redis, prefix, settings, log),
    auditLog: await openAudit(mongo, settings),
    eraseMail,
    log,
    async stop() {
      await Promise.all([
        resealing,
        keyring.stop(),
        revokedTokens.stop(),
        signIns.stop(),
        outbox.stop(),
        groupOutbox.stop(),
        mails.stop(),
        webhooks.stop(),
        lti.stop(),
      ]);
    },
  };
}
