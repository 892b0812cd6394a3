import { type CaughtMessage, LINK } from './caught-mail.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);

/** Text as HTML, with links for its addresses. Everything is escaped. */
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

/** A message with HTML only is shown in a frame that runs no scripts and loads nothing. */
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

/** No message can run a script or load anything. */
export const MAIL_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'";

/** The page that lists caught mail, newest first. */
export function mailPage(messages: readonly CaughtMessage[]): string {
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
