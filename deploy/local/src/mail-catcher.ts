import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { CaughtMail, type CaughtMessage, LINK } from './caught-mail.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);

/** HTML-only messages are shown in a sandboxed frame that runs no scripts and loads nothing. */
const body = ({ text, html }: CaughtMessage): string =>
  text === '' && html !== ''
    ? `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(`<base target="_blank">${html}`)}"></iframe>`
    : `<pre>${linked(text)}</pre>`;

const article = (message: CaughtMessage): string => `
<article>
  <h2>${escapeHtml(message.subject || '(no subject)')}</h2>
  <p>to <b>${escapeHtml(message.to.join(', '))}</b> from ${escapeHtml(message.from)}, <time>${escapeHtml(message.caughtAt)}</time></p>
  ${body(message)}
</article>`;

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; padding: 0 1rem; margin: 1rem 0; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-bottom: 0; }
  p { margin-top: 0; } pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  iframe { width: 100%; height: 24rem; border: 0; background: white; }`;

/** Keeps messages from running scripts or loading anything. */
const MAIL_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'";

export interface MailCatcher {
  /** For SMTP_URL: `smtp://127.0.0.1:40123`. */
  smtpUrl: string;
  /** The page that lists caught mail, at a secret path; `<url>messages` is the same list as JSON. */
  url: string;
  /** Deletes the mail sent to an address. */
  erase(email: string): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_MESSAGE_BYTES = 10 * 1024 ** 2;

async function startSmtp(mail: CaughtMail): Promise<SMTPServer> {
  const server = new SMTPServer({
    size: MAX_MESSAGE_BYTES,
    // Only this product's own services send to it, over loopback.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      buffer(stream)
        .then(async (message) => {
          if (stream.sizeExceeded) throw Object.assign(new Error('The message is too large'), { responseCode: 552 });
          await mail.add(message);
        })
        .then(() => done(), done);
    },
  });
  server.on('error', (error) => console.error(`Mail catcher: ${error.message}`));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return server;
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': MAIL_PAGE_POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  response.end(body);
}

/** Guards against DNS rebinding: a foreign page whose name resolves to loopback must not read reset links. */
const isOwnName = ({ headers }: IncomingMessage): boolean =>
  /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '');

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The rest of a URL after the secret path; null if the secret doesn't match. Compares in constant time. */
function afterSecret(url: string, secret: string): string | null {
  const [, given = '', ...rest] = url.split('/');
  return timingSafeEqual(hash(given), hash(secret)) ? rest.join('/') : null;
}

async function respond(
  mail: CaughtMail,
  secret: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isOwnName(request)) return send(response, 403, 'text/plain', 'Use 127.0.0.1 or localhost.\n');
  const page = afterSecret(request.url ?? '', secret);
  if (page !== '' && page !== 'messages') return send(response, 404, 'text/plain', 'Not found.\n');
  if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Only GET is supported.\n');
  const messages = await mail.list();
  if (page === '') send(response, 200, 'text/html', mailPage(messages));
  else send(response, 200, 'application/json', JSON.stringify(messages));
}

/**
 * Receives mail by SMTP on loopback, stores it in `folder` and shows it on a loopback page. Nothing is forwarded.
 * @param secret first path segment of the page: every user of this machine can reach its port, and mails contain links that set passwords
 */
export async function startMailCatcher(folder: string, secret: string): Promise<MailCatcher> {
  const mail = await CaughtMail.open(folder);
  const smtp = await startSmtp(mail);
  const http = createServer((request, response) => {
    respond(mail, secret, request, response).catch((error: Error) => {
      console.error(`Mail catcher: ${error.message}`);
      if (!response.headersSent) send(response, 500, 'text/plain', 'The mail could not be read.\n');
    });
  });
  await new Promise<void>((resolve, reject) => http.once('error', reject).listen(0, HOST, resolve));
  const smtpAddress = smtp.server.address() as AddressInfo;
  const httpAddress = http.address() as AddressInfo;
  return {
    smtpUrl: `smtp://${HOST}:${smtpAddress.port}`,
    url: `http://${HOST}:${httpAddress.port}/${secret}/`,
    erase: (email) => mail.erase(email),
    async close() {
      const closed = Promise.all([
        new Promise<void>((resolve) => smtp.close(resolve)),
        new Promise((resolve) => http.close(resolve)),
      ]);
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Text as HTML with clickable links. Everything is escaped. */
function linked(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const address = escapeHtml(match[0]);
    html += `${escapeHtml(text.slice(end, match.index))}<a href="${address}" rel="noreferrer">${address}</a>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

/** The page that lists caught mail, newest first. */
function mailPage(messages: readonly CaughtMessage[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Caught mail (${messages.length})</title>
<style>${STYLE}</style>
<h1>Caught mail</h1>
<p>What the platform would have sent, newest first. Nothing leaves this machine. Reload to see more.</p>
${messages.length === 0 ? '<p>No mail yet.</p>' : messages.map(article).join('\n')}
</html>
`;
}
