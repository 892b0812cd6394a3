import { UnusableSetting } from '@interview-prep/kit/process/config';
import type { Logger } from '@interview-prep/kit/process/logger';
import { tlsFault } from '@interview-prep/kit/process/tls-files';
import { createTransport } from 'nodemailer';
import type { AuthSettings } from '../config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The reply address; the product's own by default. */
  replyTo?: string;
}

/** Sends mail through the configured server. */
export interface Mailer {
  /** @throws if the server does not accept the mail */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** @param timeoutMs for each step: connection, greeting, sign-in */
const openTransport = (url: string, timeoutMs: number) =>
  createTransport({ url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs });

/** @param smtpUrl `smtp://user:password@host:port`, or smtps */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = openTransport(smtpUrl, 10_000);
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail });
    },
    close: () => transport.close(),
  };
}

/** Warns if compose's Mailpit catches the mail of a real installation. */
export function warnOfCaughtMail(
  { SMTP_URL, SEED }: Pick<AuthSettings, 'SMTP_URL' | 'SEED'>,
  log: Pick<Logger, 'warn'>,
) {
  if (SEED !== 'demo' && SMTP_URL && new URL(SMTP_URL).hostname === 'mailpit')
    log.warn('Mailpit catches all mail: whoever has MAILPIT_PASSWORD can set passwords by its links. Set SMTP_URL.');
}

/**
 * Signs in to the mail server once at startup. An outage is not an error: mail waits for the server.
 * @throws UnusableSetting if waiting won't help: a wrong user, password or certificate
 */
export async function checkMailServer(smtpUrl: string, log: Logger): Promise<void> {
  const transport = openTransport(smtpUrl, 2500);
  try {
    await transport.verify();
  } catch (error) {
    const { code, responseCode = 500, message } = error as Error & { code?: string; responseCode?: number };
    const isRefused = code === 'EAUTH' && responseCode >= 500;
    const fault = isRefused ? `the server refuses the sign-in: ${message}` : tlsFault(error);
    if (fault) throw new UnusableSetting('SMTP_URL', fault, error);
    log.warn({ err: error }, 'the mail server cannot be reached yet');
  } finally {
    transport.close();
  }
}
