import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mail through the configured server. */
export interface Mailer {
  /** @throws if the server does not accept the mail */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const timeoutMs = 10_000;

/** @param smtpUrl `smtp://user:password@host:port`, or smtps */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail });
    },
    close: () => transport.close(),
  };
}
