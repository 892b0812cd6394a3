import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './api-document.ts';
import type { Account, Belongings } from './take-sessions.ts';
import type { KnownValues } from './valid-values.ts';
import { type Caller, type FreshKind, type OwnKind, ownKinds, type User, type World } from './world.ts';

/**
 * Placeholder in a generated request for a value that is only known on sending: a secret of the caller, or an object that is
 * created for this case. This makes cases reproducible and shrinkable.
 */
type Placeholder = FreshKind | OwnKind | 'own password';

const pattern = /placeholder-([a-z_-]+)-here/g;

/** The text of a placeholder in a path or body. */
function placeholderOf(kind: Placeholder): string {
  return `placeholder-${kind.replaceAll(' ', '_')}-here`;
}

export async function fillPlaceholders(text: string, world: World, user: User, account: Account): Promise<string> {
  const values = new Map<string, string>();
  for (const [placeholder, kind = ''] of text.matchAll(pattern)) {
    const wanted = kind.replaceAll('_', ' ') as Placeholder;
    const value = await filling(wanted, world, user, account);
    // Escaped for a JSON string.
    values.set(placeholder, JSON.stringify(value).slice(1, -1));
  }
  return text.replace(pattern, (placeholder) => values.get(placeholder) ?? placeholder);
}

async function filling(wanted: Placeholder, world: World, user: User, account: Account): Promise<string> {
  if (wanted === 'own password') return account.password;
  return isOwn(wanted) ? world.makeOwn(wanted, user) : world.make(wanted);
}

const isOwn = (kind: Placeholder): kind is OwnKind => (ownKinds as readonly string[]).includes(kind);

/** The user whose data a caller knows: a visitor knows the candidate's links. */
const ownerOf = (caller: Caller) => (caller === 'visitor' ? 'candidate' : caller);

/** Ids for a path: the caller's own, another user's, or of an object that the case may consume. */
function pathIds(operation: Operation, caller: Caller, { accounts, belongings }: World): string[] {
  const both = (pick: (things: Belongings) => string[]) => [
    ...pick(belongings[ownerOf(caller)]),
    ...pick(belongings.victim).slice(0, 2),
  ];
  const { victim } = belongings;
  // Not for admins, who could really delete the victim's data.
  const ofOthers = (own: string, foreign: string[]) => (caller === 'admin' ? [own] : [own, ...foreign.slice(0, 1)]);
  const users = [placeholderOf('user'), accounts[ownerOf(caller)].id];
  const byPath: Record<string, () => string[]> = {
    '/api/users/{id}': () => (caller === 'admin' ? users : [...users, accounts.victim.id]),
    '/api/users/{id}/role': () => users.slice(0, 1),
    '/api/users/{id}/password-link': () => users.slice(0, 1),
    '/api/users/{id}/sign-ins': () => users.slice(0, 1),
    '/api/users/{id}/second-factor': () => users.slice(0, 1),
    '/api/technologies/{id}': () => [placeholderOf('technology')],
    '/api/interviews/sets/{id}': () => [placeholderOf('interview set')],
    '/api/interviews/sets/{id}/status': () => [placeholderOf('interview set')],
    '/api/practice/{id}/status': () => [placeholderOf('practice set')],
    '/api/practice/{id}': () => [placeholderOf('practice set')],
    '/api/practices/sets/{id}': () => [placeholderOf('practice set')],
    '/api/interviews/{id}': () => both(({ interviewIds }) => interviewIds),
    '/api/interviews/{id}/questions/{questionId}/takes': () => both(({ interviewIds }) => interviewIds),
    '/api/practice/details/{id}': () =>
      both(({ practiceIds, practiceSessionIds }) => [...practiceIds, ...practiceSessionIds]),
    '/api/media/{recordingId}': () => both(({ recordingIds }) => recordingIds.slice(0, 1)),
    '/api/recordings/{recordingId}': () => ofOthers(placeholderOf('own recording'), victim.recordingIds),
    '/api/sessions/{id}/follow-ups': () => both(({ interviewIds }) => interviewIds),
    '/api/sessions/{id}/shares': () => both(({ interviewIds }) => interviewIds),
    '/api/sessions/{id}': () => ofOthers(placeholderOf('own session'), victim.interviewIds),
    '/api/uploads/{uploadId}': () => (operation.method === 'PUT' ? [] : [placeholderOf('own upload')]),
    '/api/shares/{id}': () => [placeholderOf('own share')],
    '/api/shared/recordings/{id}/review': () => [placeholderOf('shared recording')],
    '/api/auth/sign-ins/{signInId}': () => [placeholderOf('own sign-in')],
    '/api/recordings/export/{userId}': () => [accounts[ownerOf(caller)].id, accounts.victim.id],
    '/api/recordings/{id}/transcript': () => both(({ recordingIds }) => recordingIds),
    '/api/recordings/{id}/points/{point}/claim': () => both(({ recordingIds }) => recordingIds),
    '/api/recordings/{id}/appeal': () => both(({ recordingIds }) => recordingIds),
    '/api/recordings/{id}/review': () => both(({ recordingIds }) => recordingIds),
    '/api/recordings/{id}/reprocess': () => both(({ recordingIds }) => recordingIds),
  };
  return byPath[operation.path]?.() ?? [];
}

/** The kind of the field `token`, by operation. */
const tokenKinds: Record<string, Placeholder> = {
  media: 'media token',
  readShare: 'share token',
  reviewShared: 'share token',
};

/** Existing values for an operation's fields and parameters, by name. */
export function knownValues(operation: Operation, caller: Caller, world: World): KnownValues {
  const { accounts, belongings, technologies } = world;
  const own = belongings[ownerOf(caller)];
  const ids = pathIds(operation, caller, world);
  const emails = [accounts[ownerOf(caller)].email, accounts.victim.email];
  const sessions = operation.path.startsWith('/api/practice') ? 'practiceSessionIds' : 'interviewSessionIds';
  const checksPassword = ['login', 'deleteAccount', 'stepUp'].includes(operation.id);
  // JSON in one, text parts of a form in the others.
  const isJson = operation.id === 'beginUpload';
  const sources = world.interviewSetIds.map((setId) => [
    { setId, questionId: 0 },
    { setId, questionId: 1 },
  ]);
  const values: Record<string, readonly unknown[]> = {
    id: ids,
    recordingId: ids,
    signInId: ids,
    userId: [accounts[ownerOf(caller)].id, accounts.victim.id],
    technology: technologies,
    technologies,
    uploadId: ids,
    kind: isJson ? ['interview'] : [],
    setId: isJson ? world.interviewSetIds : [],
    questionId: isJson ? [0, 1] : ['0', '1'],
    askedQuestions: isJson ? [[0], [1, 0]] : ['0', '1,0'],
    sources: isJson ? sources : sources.map((each) => JSON.stringify(each)),
    // Required in a verdict without points.
    correctnessPercentage: [0, 55, 100],
    interviewSetId: world.interviewSetIds,
    practiceSetId: world.practiceSetIds,
    sessionId: [...own[sessions], belongings.victim[sessions][0]],
    cursor: own.cursors,
    accessToken: [world.googleToken],
    currentPassword: [placeholderOf('own password')],
    email: operation.id === 'register' ? [] : emails,
    password: checksPassword ? [placeholderOf('own password')] : [],
    token: [placeholderOf(tokenKinds[operation.id] ?? 'reset token')],
  };
  const freshSession = fc.uuid();
  return (name): Arbitrary<unknown> | undefined => {
    const known = values[name] ?? [];
    if (known.length === 0) return undefined;
    const existing = fc.constantFrom(...known);
    return name === 'sessionId' ? fc.oneof(existing, freshSession) : existing;
  };
}
