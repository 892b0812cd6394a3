import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { acceptDialogs, launchBrowser, newDeveloper, newVisitor, signInByHand } from './browser.ts';
import { press, recordFor } from './practice-session.ts';
import { type Speech, speak } from './speech.ts';

/** Far below nginx's 1 MB, so that even a short answer exceeds it as a whole. */
const bodyMaxBytes = 50_000;
const answerSeconds = 12;

/**
 * A reverse proxy that forwards a request once it is complete, rejects large ones, and buffers a response until it is
 * complete, unless the product opts out in nginx's way.
 */
class BufferingProxy {
  /** Sizes of the forwarded bodies. */
  readonly sent: number[] = [];
  refused = 0;
  readonly #server: Server;

  constructor(target: string) {
    this.#server = createServer(async (req, res) => {
      const body = await buffer(req);
      if (body.length > bodyMaxBytes) {
        this.refused += 1;
        res.writeHead(413).end();
        return;
      }
      this.sent.push(body.length);
      const { method, headers } = req;
      const passedOn = request(new URL(req.url ?? '/', target), { method, headers }, async (response) => {
        const head = [response.statusCode ?? 502, response.headers] as const;
        if (response.headers['x-accel-buffering'] === 'no') {
          res.writeHead(...head).flushHeaders();
          response.pipe(res);
          return;
        }
        const whole = await buffer(response);
        res.writeHead(...head).end(whole);
      });
      passedOn.on('error', () => res.destroy());
      res.on('close', () => passedOn.destroy());
      passedOn.end(body);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

let browser: Browser;
let speech: Speech;
let proxy: BufferingProxy;

beforeAll(async () => {
  speech = await speak(
    'A function gives a name to a group of instructions. We write them once, and use them many times.',
  );
  browser = await launchBrowser({ speech: speech.path });
  proxy = new BufferingProxy(inject('productUrl'));
});
afterAll(async () => {
  proxy.close();
  await browser.close();
  await speech.remove();
});

test('an answer passes a proxy that buffers and rejects large bodies, and its verdict appears without a reload', async () => {
  const context = await newVisitor(browser, { baseURL: await proxy.listen() });
  const page = await context.newPage();
  acceptDialogs(page);
  await signInByHand(page, await newDeveloper());
  await page.getByRole('button', { name: /^JavaScript/ }).click();
  await page.getByRole('link', { name: 'Take Interview: JavaScript Warm-up' }).click();
  await page.getByRole('button', { name: 'Start now' }).click();
  await recordFor(page, answerSeconds);
  await press(page, 'Next Question');
  await page.getByText('Recording saved successfully').waitFor();
  await page.getByRole('button', { name: /^Skip/ }).click();
  await page.waitForURL('**/interviews');
  const summary = page.getByRole('region', { name: 'The interview you finished' });
  await summary
    .getByText(/^\d+%$/)
    .first()
    .waitFor({ timeout: 300_000 });
  expect(proxy.refused).toBe(0);
  expect(proxy.sent.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(bodyMaxBytes);
});
