import { randomBytes } from 'node:crypto';
import { ltiAttemptKey } from '@interview-prep/contracts/auth/lti-attempt-key';
import { escapeHtml } from '@interview-prep/kit/http/escape-html';
import type { Response } from 'express';

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:36rem;margin:15vh auto;padding:0 1rem;text-align:center}a,button{font:inherit;display:inline-block;padding:.5rem 1rem;border:1px solid;border-radius:.5rem;color:inherit;background:none;text-decoration:none}[hidden]{display:none}';

const page = (body: string) =>
  `<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Interview Preparation Platform</title><style>${style}</style>\n${body}\n</html>\n`;

/** The CSP of pages that a platform may frame. It replaces the gateway's, which forbids framing and inline scripts. */
const policyOf = (scripts: string, formTo: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; script-src ${scripts}; connect-src 'self'; base-uri 'none'; form-action ${formTo}; frame-ancestors http: https:`;

/** The CSP of a static page. */
export const plainPolicy = policyOf("'none'", "'none'");

/** An error page that explains why a launch failed and what to do. */
export function errorPage(message: string): string {
  return page(
    `<main><h1>The activity could not be opened</h1><p>${escapeHtml(message)}</p><p>Go back to your course and open the activity there. If this happens again, tell your teacher.</p></main>`,
  );
}

/**
 * Sends a standalone page with an inline script that receives `data`. Also works inside a platform's frame.
 * @param options `formTo`: the only allowed form target
 */
function sendPage(res: Response, body: string, options: { script: string; data: object; formTo?: string }): void {
  const nonce = randomBytes(16).toString('base64');
  const { script, data, formTo = "'none'" } = options;
  const policy = policyOf(`'nonce-${nonce}'`, formTo);
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  res
    .set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .type('html')
    .send(page(`${body}\n<script nonce="${nonce}">const data = ${json};\n${script}</script>`));
}

/**
 * Redirects to the platform. In a frame, where browsers block our storage, it offers a new window instead. Deep linking must
 * end in the frame, so with `waits` the page polls there until the coach has chosen in the new window.
 */
export function sendLoginPage(
  res: Response,
  { waits, ...data }: { attempt: string; url: string; link: string; frame: string; waits: boolean },
): void {
  sendPage(
    res,
    `<main><p id="going">Opening…</p><div id="framed" hidden><p>${
      waits
        ? 'Choose an assignment in a new window. This page then continues automatically.'
        : 'This opens in a window of its own.'
    }</p><p><a id="open" target="_blank" rel="noopener">Open in a new window</a></p></div>
<form id="return" method="post" action="/api/auth/lti/return"><input type="hidden" name="frame"></form></main>`,
    {
      data: { ...data, waits, storageKey: ltiAttemptKey },
      formTo: "'self'",
      script: `const at = (id) => document.getElementById(id);
if (window.top === window) {
  try {
    sessionStorage.setItem(data.storageKey, data.attempt);
    location.replace(data.url);
  } catch {
    at('going').textContent = 'Your browser does not allow this site to store data. Allow it, and open the activity again.';
  }
} else {
  at('going').hidden = true;
  at('framed').hidden = false;
  at('open').href = data.link;
  const form = at('return');
  form.elements.frame.value = data.frame;
  const until = Date.now() + 60 * 60_000;
  const ask = async () => {
    const body = new URLSearchParams({ frame: data.frame });
    const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null);
    if (answer?.status === 200) form.submit();
    else if (Date.now() < until) setTimeout(ask, 3000);
  };
  if (data.waits) setTimeout(ask, 3000);
}`,
    },
  );
}

/** Redirects to the web app, which reads the window's secret from session storage. */
export function sendLaunchedPage(res: Response, path: string): void {
  sendPage(res, '<p>Opening…</p>', { data: { path }, script: 'location.replace(data.path);' });
}

/** Posts a signed message to the platform. */
export function sendReturnPage(res: Response, url: string, jwt: string): void {
  sendPage(
    res,
    `<form id="return" method="post" action="${escapeHtml(url)}"><input type="hidden" name="JWT" value="${escapeHtml(jwt)}"><button>Back to the course</button></form>`,
    { data: {}, formTo: new URL(url).origin, script: "document.getElementById('return').submit();" },
  );
}
