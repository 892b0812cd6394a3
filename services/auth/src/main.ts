import { runService } from '@interview-prep/kit/process/run-service';
import { createApp } from './app.ts';
import { openAuth } from './auth.ts';
import { readSettings } from './config.ts';
import { consumeEvents } from './consume-events.ts';
import { prepareFirstUsers, sendToSupervisor } from './first-users/prepare-first-users.ts';
import { checkOidcProvider } from './identities/check-oidc-provider.ts';
import { providerOptions } from './identities/oidc-provider.ts';
import { checkMailServer, warnOfCaughtMail } from './mails/mailer.ts';
import { migrations } from './migrations/migrations.ts';

const settings = readSettings();

await runService({ name: 'auth', database: 'auth', migrations, settings }, async (connections) => {
  const { log, mongo, redis, workerRedis, prefix, jobs, audit, appOptions } = connections;
  if (settings.SMTP_URL === undefined) log.warn('no mail can be sent: SMTP_URL is not set');
  else await checkMailServer(settings.SMTP_URL, log);
  warnOfCaughtMail(settings, log);
  const oidc = providerOptions(settings);
  if (oidc) await checkOidcProvider(oidc, log);
  // Under `npm start`, the supervisor catches mail.
  const eraseMail = (email: string) => sendToSupervisor({ type: 'mail-erasure', email });
  const auth = await openAuth({ mongo, redis, jobs, audit, log, eraseMail }, settings);
  await prepareFirstUsers({ mongo, auth, log }, settings);
  const worker = consumeEvents(auth, { connection: workerRedis, prefix, log });

  // Without a copy of the technologies, auth asks catalog for them.
  if (!(await auth.technologies.hasCopy())) await jobs.add('catalog', 'republish', { since: null });

  return {
    app: createApp({ ...appOptions, auth }),
    closers: [() => worker.close(), () => auth.stop()],
  };
});
