import { randomUUID } from 'node:crypto';
import { routes } from '@interview-prep/contracts/routes';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Caller, callers, matrix, type World } from './role-matrix.ts';
import { startProduct, uploadForm } from './running-product.ts';

let world: World;
let expired: string;

beforeAll(async () => {
  const product = await startProduct();
  const [owner, others, stranger] = [
    await product.newCandidate(),
    await product.newCandidate(),
    await product.newCandidate(),
  ];
  const [admin, dev] = [await product.signIn('admin@example.com'), await product.newDeveloper()];
  const users = { admin, dev, others, owner, stranger };
  const [interviewSet, practiceSet] = [await product.interviewSet(), await product.practiceSet()];
  const technology = await product.technology();
  expired = await product.expiredToken(admin);
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
  world = {
    product,
    users,
    technology,
    interviewSet,
    practiceSet,
    interview: {
      interviewId: interview.recording.interviewId,
      recordingId: interview.recording._id,
      sessionId: interviewSession,
    },
    practice: { practiceId: practice.recording.practiceId, sessionId: practiceSession },
  };
  await vi.waitFor(
    () => product.ask({ method: 'get', path: `/api/interviews/${world.interview.interviewId}` }, owner.token),
    { timeout: 20_000 },
  );
  await vi.waitFor(
    () => product.ask({ method: 'get', path: `/api/practice/details/${world.practice.practiceId}` }, owner.token),
    { timeout: 20_000 },
  );
}, 120_000);

afterAll(() => world?.product.stop());

function tokenOf(caller: Caller): string | undefined {
  if (caller === 'no token') return undefined;
  return caller === 'expired' ? expired : world.users[caller].token;
}

it.each(Object.entries(matrix))(
  '%s answers each caller with the status of its row',
  async (name, [statuses, request]) => {
    const { method } = routes[name as keyof typeof routes];
    const answered: string[] = [];
    for (const caller of callers) {
      const call = await request(world, caller);
      const response = await world.product.call({ method, ...call }, tokenOf(caller));
      await response.body?.cancel();
      answered.push(`${caller}: ${response.status}`);
    }
    const wanted = statuses.split(' ');
    expect(answered).toEqual(callers.map((caller, index) => expect.stringMatching(`^${caller}: (${wanted[index]})$`)));
  },
);
