import { createRateLimits } from '@interview-prep/kit/http/rate-limits';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';
import { runService } from '@interview-prep/kit/process/run-service';
import { subscribeLiveStatus } from '@interview-prep/kit/redis/live-status';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import { createRemoteTokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import { createMediaCookie, createMediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import { createRemoteResetTicketVerifier } from '@interview-prep/kit/tokens/reset-tickets';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { startPartsSweep } from './answer-parts/answer-parts.ts';
import { createApp } from './app.ts';
import { startAnnouncing } from './assignments/announce.ts';
import { builtInJudge } from './calibration/built-in-judge.ts';
import { startCalibration } from './calibration/calibrate.ts';
import { consumeEvents } from './consume-events.ts';
import { openDeletions } from './deletions/deletion-log.ts';
import { startRetention } from './deletions/retention.ts';
import { createAccountDataSource } from './export/account-data-source.ts';
import { createExportCookie } from './export/export-cookie.ts';
import { createExportLimits } from './export/routes.ts';
import { createRunningExports } from './export/running-exports.ts';
import { createLiveStreams } from './live/streams.ts';
import { migrations } from './migrations/migrations.ts';
import { recordingModels } from './models.ts';
import { createObjectStore } from './object-store/object-store.ts';
import { createRecordingOutbox } from './recordings/recording-outbox.ts';
import { createTrialQueue } from './trials/trial-queue.ts';
import { createSpoolRoom } from './uploads/spool-room.ts';
import { createUploadLimits } from './uploads/upload-limits.ts';
import { createVirusScan } from './uploads/virus-scan.ts';
import { openWorkFolder, registerDisk, spoolMaxBytes } from './work-folder.ts';

const settings = parseSettings(settingsOf('recording'));
const uploadQuota = {
  perMinute: Math.ceil(settings.UPLOADS_PER_HOUR / 10),
  perHour: settings.UPLOADS_PER_HOUR,
  storedMegabytes: settings.STORED_MB_PER_USER,
};

await runService({ name: 'recording', database: 'recording', migrations, settings }, async (connections) => {
  const { log, mongo, redis, workerRedis, prefix, jobs, appOptions } = connections;
  const models = recordingModels(mongo);
  await buildIndexes(mongo);
  const spool = await openWorkFolder(settings.SPOOL_DIR, 'recording-uploads');
  await spool.sweep();
  const store = createObjectStore(settings);
  await store.prepare(log);
  const outbox = createRecordingOutbox({ models, jobs, redis, prefix, log, sweeps: true });
  const deletions = openDeletions({ models, store, jobs, redis, prefix, log, sweeps: true });
  const stopRetention = startRetention({ models, store, deletions, outbox, log }, settings);
  const stopPartsSweep = startPartsSweep({ models, store }, log);
  const stopAnnouncing = startAnnouncing({ models, jobs }, log);
  const stopCalibration = startCalibration({ models, judge: builtInJudge, log });
  const events = consumeEvents({ models, outbox, deletions, jobs, connection: workerRedis, prefix, log });
  const streams = createLiveStreams(log);
  // A subscribed connection can't run other commands.
  const liveRedis = connectWorker(settings.REDIS_URL, log);
  await subscribeLiveStatus(liveRedis, prefix, streams.send, log, streams.endAll);

  const limitRate = createRateLimits({ redis, prefix, service: 'recording', log });
  // An empty database has missed the sets that catalog published.
  if ((await models.sets.exists({})) === null) await jobs.add('catalog', 'republish', { since: null });
  if (!(await models.groups.hasCopy())) await jobs.add('auth', 'republish', { since: null });

  return {
    app: createApp({
      ...appOptions,
      checks: { ...appOptions.checks, objects: () => store.works() },
      models,
      store,
      jobs,
      outbox,
      deletions,
      streams,
      spool,
      uploadLimits: createUploadLimits(uploadQuota, models, limitRate),
      scanForViruses: createVirusScan(settings.CLAMAV_ADDRESS, log),
      room: createSpoolRoom(spoolMaxBytes),
      engineReports: { redis, prefix },
      metrics(registry) {
        registry.registerMetric(store.seconds);
        registerDisk(registry, settings.SPOOL_DIR);
      },
      judge: builtInJudge,
      setPatienceMs: 2000,
      denylist: createTokenDenylist(redis, prefix),
      mediaTokens: createMediaTokens(settings.MEDIA_TOKEN_SECRET),
      mediaCookie: createMediaCookie(settings.MEDIA_TOKEN_SECRET, settings.PUBLIC_URL),
      exportCookie: createExportCookie(settings.MEDIA_TOKEN_SECRET, settings.PUBLIC_URL),
      accountData: createAccountDataSource(settings.AUTH_JWKS_URL, redis, prefix),
      exportLimits: createExportLimits(10, limitRate),
      runningExports: createRunningExports({ redis, prefix, log }),
      limitRate,
      publicUrl: settings.PUBLIC_URL,
      shareLinks: settings.SHARE_LINKS,
      trials: createTrialQueue({ jobs, redis, prefix }),
      verify: createRemoteTokenVerifier(settings.AUTH_JWKS_URL, redis, prefix),
      verifyResetTicket: createRemoteResetTicketVerifier(settings.AUTH_JWKS_URL, redis, prefix),
    }),
    closers: [
      async () => streams.close(),
      () => events.close(),
      stopRetention,
      stopPartsSweep,
      stopCalibration,
      stopAnnouncing,
      () => deletions.stop(),
      () => outbox.stop(),
      async () => liveRedis.disconnect(),
    ],
  };
});
