import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking } from '@interview-prep/kit/testing/backing';
import { createTestIdentity, type TestUser } from '@interview-prep/kit/testing/identity';
import { createMediaCookie, createMediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { createApp } from '../src/app.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import { historyModels } from '../src/projection/model.ts';
import type { HistoryDeps } from '../src/sessions/routes.ts';
import { recordingOf, sessionOf } from './events.ts';

const secret = 'a secret for the tests of thirty-two characters';

/** The service with its own database, showing users their own sessions (`own`) or everyone's (`open`). */
export async function startHistory() {
  const backing = await createTestBacking('history');
  const { mongo, log, redisAdministrator, settings } = backing;
  const models = historyModels(mongo);
  await buildIndexes(mongo);
  const identity = await createTestIdentity(createTokenDenylist(redisAdministrator, settings.REDIS_PREFIX));
  const mediaTokens = createMediaTokens(secret);
  const mediaCookie = createMediaCookie(secret, 'https://prep.example.com');
  const app = (visibility: HistoryDeps['visibility']) =>
    createApp({ log, models, mediaTokens, mediaCookie, visibility, verify: identity.verify, checks: {} });
  return {
    models,
    identity,
    mediaTokens,
    mediaCookie,
    own: app('own'),
    open: app('all'),
    /** Applies an answer, by default in a new session. */
    async take(user: TestUser, session: Partial<SessionSnapshot> = {}, recording: Partial<RecordingSnapshot> = {}) {
      const payload = { session: sessionOf(user, session), recording: recordingOf(recording) };
      await applyRecording(payload, models);
      return payload;
    },
    async empty() {
      await Promise.all([
        models.sessions.deleteMany({}),
        models.recordings.deleteMany({}),
        models.totals.deleteMany({}),
      ]);
    },
    stop: () => backing.close(),
  };
}

export type StartedHistory = Awaited<ReturnType<typeof startHistory>>;
