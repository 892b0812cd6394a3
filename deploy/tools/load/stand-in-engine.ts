import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The product sends 48 kbit/s MP3. */
const bytesPerSecond = 6000;
const wordsPerSecond = 2.5;

/** A fake speech server. */
export interface StandInEngine {
  /** The product's settings for using it. */
  env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Starts a speech server with OpenAI's protocol on loopback. It always returns these words, repeated, after as long as an
 * engine of this speed would take, without using the CPU. It accepts any number of concurrent requests.
 * @param secondsPerSecond processing time per second of speech
 */
export async function startStandInEngine(secondsPerSecond: number, words: readonly string[]): Promise<StandInEngine> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(Buffer.concat(chunks)), { headers }).formData().catch(() => null);
    const file = form?.get('file');
    if (!(file instanceof File)) {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"There is no file"}}');
      return;
    }
    const seconds = file.size / bytesPerSecond;
    await pause(seconds * secondsPerSecond * 1000);
    const heard = Array.from({ length: Math.ceil(seconds * wordsPerSecond) }, (_, index) => ({
      word: words[index % words.length] ?? '',
      start: index / wordsPerSecond,
      end: (index + 0.9) / wordsPerSecond,
    }));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ text: heard.map(({ word }) => word).join(' '), words: heard }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    env: { SPEECH_ENGINE: 'openai', SPEECH_URL: url, SPEECH_MODEL: 'stand-in' },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
