import type { AssignmentMail } from '@interview-prep/contracts/recording/assignments';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import type { RecordingUnderTest } from './recording-under-test.ts';

export const hourMs = 3_600_000;

export function inHours(hours: number): Date {
  return new Date(Date.now() + hours * hourMs);
}

/** The terms of an assignment that stays open for another day, without limits. */
export function assignmentTerms(changes: object = {}) {
  return {
    title: 'Week 1',
    opensAt: inHours(-100).toISOString(),
    dueAt: inHours(24).toISOString(),
    timeZone: 'Europe/Berlin',
    takes: null,
    timeLimitSeconds: null,
    minimumScore: null,
    feedback: 'at-once',
    closesLate: false,
    ...changes,
  };
}

/** The caller and the call. */
export type CallAs = [user: TestUser, method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object];

/** Calls a route of the service as a user. */
export function callAs({ server }: RecordingUnderTest, ...[user, method, path, body]: CallAs) {
  return request(server)[method](path).set('Authorization', user.authorization).send(body);
}

export async function queuedMails({ allJobs }: RecordingUnderTest): Promise<AssignmentMail[]> {
  const jobs = await allJobs.queue('auth').getJobs(['waiting', 'delayed', 'prioritized']);
  return jobs.filter(({ name }) => name === 'assignment-mail').map(({ data }) => data as AssignmentMail);
}
