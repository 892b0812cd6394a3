import type { Word } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import type { Recording } from '../../src/recordings/model.ts';
import { addAnswer, addSession } from './add-answer.ts';
import type { RecordingUnderTest } from './recording-under-test.ts';
import { ended } from './worker-under-test.ts';

/** Words at a rate of two per second. */
export function heardWords(text: string): Word[] {
  return text.split(' ').map((word, at) => ({ word, startMs: at * 500, endMs: at * 500 + 400, confidence: 0.9 }));
}

export const expertTexts = [
  'A closure is a function that keeps the variables of the scope it was made in.',
  'It is used to keep state private.',
];
/** The second point was misheard. */
export const heard =
  'a closure is a function that keeps the variables of the scope it was made in and it rides with bakery goats';

/** An answer that was transcribed and judged by the worker. */
export async function judgedAnswer(
  service: RecordingUnderTest,
  owner: TestUser,
  more: Partial<Recording> = {},
): Promise<Recording> {
  const { kind = 'interview' } = more;
  const session = await addSession(service, owner, {
    kind,
    technology: 'JavaScript',
    questions: ['What is a closure?'],
    expertAnswers: [expertTexts.join(' ')],
    expertPoints: [expertTexts.map((text) => ({ text, weight: 1, acceptedWordings: [], optional: false }))],
  });
  const recording = await addAnswer(service, session, {
    stageStatus: 'pending',
    transcription: { status: 'completed', text: heard, words: heardWords(heard), completedAt: new Date() },
    assessment: { status: 'pending' },
    ...(kind === 'interview' ? { awaiting: 'assessment' } : { stage: 'transcription', stageStatus: 'completed' }),
    ...more,
  });
  if (recording.awaiting) {
    await service.jobs.add('assessment', 'assess', { recordingId: recording._id.toHexString(), run: 1 }, {});
  }
  return ended(service, recording._id.toHexString());
}

/** Sends a corrected transcript, like the detail page. */
export function sendCorrection(service: RecordingUnderTest, id: string, text: string, user: TestUser) {
  return request(service.server)
    .put(`/api/recordings/${id}/transcript`)
    .set('Authorization', user.authorization)
    .send({ text });
}
