import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Hands mail over to the configured server. */
export interface Mailer {
  /** @throws where the server does not take the mail */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const patienceMs = 10_000;

/** @param smtpUrl `smtp://user:password@host:port`, or smtps */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  });
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail });
    },
    close: () => transport.close(),
  };
}
