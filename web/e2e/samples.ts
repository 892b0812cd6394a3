import type { DemoUser } from './browser.ts';
import { type Samples, sampleSets } from './places.ts';
import { interviewSet, practiceSet, recordedSession } from './recorded-session.ts';

/** Creates a session of each kind for a role by sending this WAV. @returns the sessions and their sets */
export async function samplesOf(name: DemoUser, wavPath: string): Promise<Samples> {
  const [interview, practice] = await Promise.all([
    interviewSet(name, sampleSets.interview),
    practiceSet(name, sampleSets.practice),
  ]);
  const [interviewId, practiceId] = await Promise.all([
    recordedSession(name, interview, wavPath),
    recordedSession(name, practice, wavPath, { kind: 'practice' }),
  ]);
  return { interviewSetId: interview._id, interviewId, practiceSetId: practice._id, practiceId };
}
