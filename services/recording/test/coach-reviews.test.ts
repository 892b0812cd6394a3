import type { Assessment } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recording } from '../src/recordings/model.ts';
import type { Session } from '../src/sessions/model.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let coach: TestUser;
let otherCoach: TestUser;
let member: TestUser;
let admin: TestUser;
const [groupId, otherGroupId] = [new Types.ObjectId().toHexString(), new Types.ObjectId().toHexString()];

beforeAll(async () => {
  service = await startRecording();
  const user = () => service.identity.user('others');
  [coach, otherCoach, member, admin] = [await user(), await user(), await user(), await service.identity.user('admin')];
  const other = { groupId: otherGroupId, archived: false, coaches: [otherCoach.id], revision: 1 };
  await service.models.groups.apply({ ...other, members: [member.id] });
  await publishGroup();
});
afterAll(() => service.close());

let revision = 0;
/** What auth publishes of the group, whose coach is a member too. */
async function publishGroup(changes: object = {}): Promise<void> {
  revision += 1;
  const group = { groupId, archived: false, coaches: [coach.id], members: [member.id, coach.id], revision };
  await service.models.groups.apply({ ...group, ...changes });
}

/** An answer for the group that the machine judged at 45%. */
async function answered(
  user = member,
  more: Partial<Recording> = {},
  given: Partial<Session['assignment']> = {},
): Promise<string> {
  const assignment = {
    assignmentId: new Types.ObjectId().toHexString(),
    groupId,
    late: false,
    feedback: 'release' as const,
    feedbackAt: null,
    ...given,
  };
  const { _id } = await addAnswer(service, await addSession(service, user, { assignment }), {
    isCorrect: false,
    correctnessPercentage: 45,
    assessment: { status: 'completed', engine: 'reference', points: [] },
    ...more,
  });
  return _id.toHexString();
}

const review = (id: string, user: TestUser) =>
  request(service.server)
    .put(`/api/recordings/${id}/review`)
    .set('Authorization', user.authorization)
    .send({ correctnessPercentage: 80, reason: 'Well said.' });

describe('a review', () => {
  it('is for coaches of the group and admins, says which of them gave it', async () => {
    const id = await answered();
    for (const [user, status] of [
      [member, 403],
      [otherCoach, 404],
      [coach, 200],
    ] as const)
      expect([user.email, (await review(id, user)).status]).toEqual([user.email, status]);
    const { assessment }: { assessment: Assessment } = await service.models.recordings.findById(id).orFail().lean();
    expect(assessment.review).toMatchObject({ by: 'coach', reviewer: { userId: coach.id, email: coach.email } });
    expect(assessment.machine).toEqual({ isCorrect: false, correctnessPercentage: 45 });
    expect((await review(id, admin)).body.assessment.review.by).toBe('admin');
  });

  it("is not for private practice, one's own answers, or people who have left", async () => {
    const { _id } = await addAnswer(service, await addSession(service, member), {
      assessment: { status: 'completed', points: [] },
    });
    expect((await review(_id.toHexString(), coach)).status).toBe(404);
    expect((await review(await answered(coach), coach)).status).toBe(403);
    const id = await answered();
    await publishGroup({ members: [] });
    expect((await review(id, coach)).status).toBe(404);
    await publishGroup({ coaches: [] });
    expect((await review(id, coach)).status).toBe(404);
    await publishGroup();
    expect((await review(id, coach)).status).toBe(200);
  });
});
