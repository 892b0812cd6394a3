import type { GroupRole } from '@interview-prep/contracts/auth/groups';
import type { Role } from '@interview-prep/contracts/auth/users';
import type { WebhookEvent } from '@interview-prep/contracts/auth/webhooks';
import type { GroupSnapshot, UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { AuditTrail } from '@interview-prep/kit/audit/audit-trail';
import type { HostCookie } from '@interview-prep/kit/http/host-cookie';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { createOutbox, type Outbox } from '@interview-prep/kit/redis/outbox';
import { createTokenVerifier, type TokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import { mediaHostCookie } from '@interview-prep/kit/tokens/media-cookie';
import { createResetTicketVerifier, type ResetTicketVerifier } from '@interview-prep/kit/tokens/reset-tickets';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { type ApiKeyModel, apiKeyModel } from './api-keys/model.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { openAudit } from './audit/open-audit.ts';
import type { AuthSettings } from './config.ts';
import { createGroups, type Groups } from './groups/groups.ts';
import { type GroupRecord, groupModels } from './groups/model.ts';
import { oidcAttempts } from './identities/oidc-attempts.ts';
import { createOidcProvider, type OidcProvider, providerOptions } from './identities/oidc-provider.ts';
import { type Provider, providersOf } from './identities/providers.ts';
import { type Lti, openLti } from './lti/lti.ts';
import { ltiModels } from './lti/model.ts';
import { type MailOutbox, openMailOutbox } from './mails/mail-outbox.ts';
import { mailRequestModel } from './mails/mail-requests.ts';
import { createMailer } from './mails/mailer.ts';
import { createPasskeys, type Passkeys, type RelyingParty, relyingPartyOf } from './passkeys/check-passkeys.ts';
import { type PasskeyModel, passkeyModel } from './passkeys/model.ts';
import { passkeyChallenges } from './passkeys/passkey-challenges.ts';
import { createBreachCheck } from './passwords/breached-passwords.ts';
import { createPasswordHashes, type PasswordHashes } from './passwords/password-hashes.ts';
import { createPasswordLinks, type PasswordLinks } from './passwords/password-links.ts';
import { createPasswordPolicy, type PasswordPolicy } from './passwords/password-policy.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { type RevokedTokens, syncRevokedTokens } from './revoked-tokens/revoked-tokens.ts';
import { isFreshSignIn, requireFreshSignIn } from './second-factor/fresh-sign-in.ts';
import { createSecondFactors, type SecondFactors } from './second-factor/second-factors.ts';
import { type SignInChallenges, signInChallenges } from './second-factor/sign-in-challenges.ts';
import type { HashCost } from './secrets/hash-cost.ts';
import { createSealedSecrets, type SealedSecrets } from './secrets/sealed-secrets.ts';
import { type AttemptLimits, createAttemptLimits } from './sign-in/attempt-limits.ts';
import { createGoogleAccounts, type GoogleAccounts } from './sign-in/google.ts';
import { type SignInModel, signInModel } from './sign-ins/model.ts';
import { openSignIns, type SignIns } from './sign-ins/open-sign-ins.ts';
import { type Keyring, openKeyring, revokedKids } from './signing-keys/keyring.ts';
import { createAccessTokenSigner, createNewSignIn, type SignAccessToken } from './signing-keys/sign-access-token.ts';
import { storedKeyModel } from './signing-keys/stored-keys.ts';
import { type AdminLock, createAdminLock, createLocks, type Locks } from './store/locks.ts';
import { revokedTokenModel } from './store/revoked-token-model.ts';
import { createDraftKeys, type DraftKeys } from './users/draft-keys.ts';
import { type KnownTechnologies, knownTechnologies } from './users/known-technologies.ts';
import { type UserDocument, type UserModel, type UserRecord, userModel } from './users/model.ts';
import { webhookModels } from './webhooks/model.ts';
import { openWebhooks, type Webhooks } from './webhooks/webhooks.ts';

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

/** Publishes who is in a group, to recording and history. */
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

/** Those who joined a group in the last hour, for webhooks: a group is published again with each change. */
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

/** What the routes use. */
export interface Auth {
  users: UserModel;
  outbox: Outbox<UserRecord>;
  passwords: PasswordHashes;
  passwordPolicy: PasswordPolicy;
  mails: MailOutbox;
  groups: Groups;
  apiKeys: ApiKeyModel;
  webhooks: Webhooks;
  lti: Lti;
  secrets: SealedSecrets;
  groupOutbox: Outbox<GroupRecord>;
  publicUrl: string;
  /** Whether there is a mail server to send by. */
  sendsMail: boolean;
  passwordLinks: PasswordLinks;
  locks: Locks;
  adminLock: AdminLock;
  secondFactors: SecondFactors;
  draftKeys: DraftKeys;
  passkeys: Passkeys;
  passkeyRecords: PasskeyModel;
  /** Where passkeys work; null where PUBLIC_URL has an address for a name. */
  passkeySite: RelyingParty | null;
  /** Sign-ins that wait for their second factor. */
  challenges: SignInChallenges;
  isFreshSignIn: typeof isFreshSignIn;
  requireFreshSignIn: typeof requireFreshSignIn;
  /** The roles that need a second factor. */
  factorRoles: ReadonlySet<Role>;
  technologies: KnownTechnologies;
  revokedTokens: RevokedTokens;
  keyring: Keyring;
  signIns: SignIns;
  signInRecords: SignInModel;
  signAccessToken: SignAccessToken;
  verify: TokenVerifier;
  verifyResetTicket: ResetTicketVerifier;
  /** Null without GOOGLE_CLIENT_ID. */
  googleAccounts: GoogleAccounts | null;
  /** Null without OIDC_ISSUER. */
  oidcProvider: OidcProvider | null;
  /** All that are set up, Google among them. */
  providers: readonly Provider[];
  limits: AttemptLimits;
  /** By which a browser plays media; a logout clears it. */
  mediaCookie: HostCookie;
  /** What users of all services do. */
  auditLog: AuditLog;
  eraseMail: (email: string) => Promise<unknown>;
  log: Logger;
  stop(): Promise<void>;
}

/** The stores of auth, and the queues that it publishes to. */
interface AuthConnections {
  mongo: Connection;
  redis: Redis;
  jobs: JobProducer;
  /** Records what the product itself does. */
  audit: Pick<AuditTrail, 'record'>;
  log: Logger;
  /** The time for codes of authenticator apps and for signing keys, in ms since 1970; a test's own. */
  now?: () => number;
  /** Of passwords and recovery codes; less only in tests, whose hashes protect nothing. */
  hashCost?: HashCost;
  /** Erases mail to an address, where the product itself caught it. */
  eraseMail?: (email: string) => Promise<unknown>;
}

/** Opens the collections, builds their indexes, and starts what runs in the background: keyring, denylist, outbox, mails. */
export async function openAuth(
  { mongo, redis, jobs, audit, log, now, hashCost, eraseMail = async () => undefined }: AuthConnections,
  settings: Omit<AuthSettings, 'HOST' | 'PORT' | 'MONGODB_URI' | 'REDIS_URL'>,
): Promise<Auth> {
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
  const keyring = await openKeyring({ model: storedKeys, secrets, denylist, audit, log, now });
  const ltiKeyring = await openKeyring({ model: ltiKeys, secrets, denylist, audit, log, now });
  const resealing = resealSecrets(users, inWebhooks.webhooks, secrets, log);
  const newSignIn = createNewSignIn(settings.TOKEN_LIFETIME, settings.SIGN_IN_IDLE_MINUTES * 60);
  const signAccessToken = createAccessTokenSigner(keyring, newSignIn);
  const stored = { revokedTokens: revokedTokenRecords, signIns: signInRecords, denylist, log };
  const revokedTokens = syncRevokedTokens({ ...stored, users, revokedKids: () => revokedKids(storedKeys), redis });
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
