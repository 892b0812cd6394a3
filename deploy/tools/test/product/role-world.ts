import { randomUUID } from 'node:crypto';
import { routes } from '@interview-prep/contracts/api/routes';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import type { InterviewSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { vi } from 'vitest';
import { type ProductApi, type Request, uploadForm } from './running-product.ts';

/** The callers. `owner` owns the requested sessions; `stranger` is another user with the same role. */
export const callers = ['no token', 'expired', 'others', 'dev', 'admin', 'owner', 'stranger'] as const;
export type Caller = (typeof callers)[number];

/** The data from which rows build their calls. */
export interface World {
  product: ProductApi;
  expiredToken: string;
  users: Record<Exclude<Caller, 'no token' | 'expired'>, SignedInUser>;
  technology: Technology;
  interviewSet: InterviewSet;
  practiceSet: PracticeSet;
  /** The owner's sessions. */
  interview: { interviewId: string; recordingId: string; sessionId: string };
  practice: { practiceId: string; sessionId: string };
  /** A group whose coach is `owner` and whose member is `others`; `stranger` coaches another one. */
  groupId: string;
  assignmentId: string;
  /** An answer that the owner is sending in parts. */
  uploadId: string;
}

/** The expected statuses in the order of `callers`, and the call, built for each caller. `-`: skipped, since the call would disturb
 * other tests. */
export type Row = [
  statuses: string,
  request: (world: World, caller: Caller) => Promise<Omit<Request, 'method'>> | Omit<Request, 'method'>,
];

/** Creates the data for the matrix: users of each role, sets, and an answer in a session of each kind. */
export async function makeWorld(product: ProductApi): Promise<World> {
  const [owner, others, stranger] = [
    await product.newCandidate(),
    await product.newCandidate(),
    await product.newCandidate(),
  ];
  const [admin, dev] = [await product.newAdmin(), await product.newDeveloper()];
  const users = { admin, dev, others, owner, stranger };
  const [interviewSet, practiceSet] = [await product.interviewSet(), await product.practiceSet()];
  const technology = await product.technology();
  const newGroup = async (people: Record<string, 'coach' | 'member'>) => {
    const created = { method: 'post', path: '/api/groups', body: { name: randomUUID() } } as const;
    const { group } = await product.ask<{ group: { id: string } }>(created, admin.token);
    for (const [id, role] of Object.entries(people)) {
      await product.ask({ method: 'put', path: `/api/groups/${group.id}/people/${id}`, body: { role } }, admin.token);
    }
    return group.id;
  };
  const groupId = await newGroup({ [owner.id]: 'coach', [others.id]: 'member' });
  await newGroup({ [stranger.id]: 'coach' });
  const terms = { title: 'Week 1', opensAt: '2026-01-01T00:00:00.000Z', dueAt: null, timeZone: 'UTC', takes: null };
  const work = { ...terms, timeLimitSeconds: null, minimumScore: null, feedback: 'release', closesLate: false };
  const body = { ...work, groupId, sets: [{ kind: 'interview', setId: interviewSet._id }], memberIds: null };
  // The group must reach recording first.
  const { assignment } = await vi.waitFor(
    () => product.ask<{ assignment: { id: string } }>({ method: 'post', path: '/api/assignments', body }, owner.token),
    { timeout: 30_000, interval: 200 },
  );
  const [interviewSession, practiceSession] = [randomUUID(), randomUUID()];
  const interview = await product.ask<{ recording: { _id: string; interviewId: string } }>(
    {
      method: 'post',
      path: '/api/interviews/recordings',
      body: uploadForm('audio', product.recording(), {
        sessionId: interviewSession,
        questionId: '0',
        interviewSetId: interviewSet._id,
      }),
    },
    owner.token,
  );
  const practice = await product.ask<{ recording: { practiceId: string } }>(
    {
      method: 'post',
      path: '/api/practice/recordings',
      body: uploadForm('file', product.recording(), {
        sessionId: practiceSession,
        questionId: '0',
        practiceSetId: practiceSet._id,
      }),
    },
    owner.token,
  );
  const world: World = {
    product,
    expiredToken: await product.expiredToken(admin),
    users,
    technology,
    interviewSet,
    practiceSet,
    groupId,
    assignmentId: assignment.id,
    interview: {
      interviewId: interview.recording.interviewId,
      recordingId: interview.recording._id,
      sessionId: interviewSession,
    },
    uploadId: randomUUID(),
    practice: { practiceId: practice.recording.practiceId, sessionId: practiceSession },
  };
  const target = { kind: 'interview', setId: interviewSet._id, sessionId: interviewSession, questionId: 0 };
  await product.ask({ method: 'put', path: `/api/uploads/${world.uploadId}`, body: target }, owner.token);
  await vi.waitFor(
    () => product.ask({ method: 'get', path: `/api/interviews/${world.interview.interviewId}` }, owner.token),
    { timeout: 60_000, interval: 200 },
  );
  await vi.waitFor(
    () => product.ask({ method: 'get', path: `/api/practice/details/${world.practice.practiceId}` }, owner.token),
    { timeout: 60_000, interval: 200 },
  );
  return world;
}

/** Makes a row's call as each caller. @returns the statuses, each with its caller */
export async function tryRow(world: World, name: string, [statuses, request]: Row): Promise<string[]> {
  const { method } = routes[name as keyof typeof routes];
  const answered: string[] = [];
  for (const [index, caller] of callers.entries()) {
    if (statuses.split(' ')[index] === '-') continue;
    const call = await request(world, caller);
    const token =
      caller === 'no token' ? undefined : caller === 'expired' ? world.expiredToken : world.users[caller].token;
    const response = await world.product.call({ method, ...call }, token);
    await response.body?.cancel();
    answered.push(`${caller}: ${response.status}`);
  }
  return answered;
}

/** Makes a row's call, built for a caller, with an admin's API key of one scope. @returns the status */
export async function tryRowWithKey(
  world: World,
  key: string,
  name: string,
  [, request]: Row,
  caller: Caller,
): Promise<number> {
  const call = await request(world, caller);
  const response = await world.product.call({ method: routes[name as keyof typeof routes].method, ...call }, key);
  await response.body?.cancel();
  return response.status;
}
