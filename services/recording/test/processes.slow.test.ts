import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';
import { settingFaults } from '@interview-prep/kit/testing/setting-faults';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { engineRules } from '../src/engines/registry.ts';
import { failure, startOpenAiServer } from './engines/openai-test-server.ts';
import { metricsToken, startMain, startProcess } from './setup/child-process.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { padded } from './setup/spoken.ts';

// Starts whole processes and sends two hundred megabytes.
vi.setConfig({ testTimeout: 120_000 });

const megabyte = 1024 * 1024;
let service: RecordingUnderTest;

beforeAll(async () => {
  service = await startRecording();
});
afterAll(() => service.close());

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

describe('the HTTP process', () => {
  it('keeps its memory flat while twenty answers of maximum size arrive concurrently', async () => {
    const main = await startMain(service);
    const user = await service.identity.user('others');
    const { setId } = await service.addSet();
    const file = new Blob([new Uint8Array(await padded(10 * megabyte))], { type: 'audio/webm' });
    const send = async () => {
      const form = new FormData();
      form.set('audio', file, 'recording.webm');
      form.set('questionId', '0');
      form.set('interviewSetId', setId);
      form.set('sessionId', randomUUID());
      const headers = { authorization: user.authorization };
      const response = await fetch(`${main.url}/api/interviews/recordings`, { method: 'POST', headers, body: form });
      await response.text();
      return response.status;
    };
    // Modules loaded by the first uploads stay in memory.
    expect(await Promise.all([send(), send()])).toEqual([201, 201]);
    const before = await metric(main.url, 'process_resident_memory_bytes');
    const uploads = 20;
    let highest = before;
    let sending = true;
    const watching = (async () => {
      while (sending) {
        highest = Math.max(highest, await metric(main.url, 'process_resident_memory_bytes'));
        // Without a pause, the polling itself would add to the measured memory.
        await pause(20);
      }
    })();
    expect(await Promise.all(Array.from({ length: uploads }, send))).toEqual(Array(uploads).fill(201));
    sending = false;
    await watching;
    expect(before).toBeGreaterThan(10 * megabyte);
    expect((highest - before) / megabyte).toBeLessThan(64 + uploads);
    expect(await main.end('SIGTERM')).toBe(0);
  });

  it('lists all invalid settings', async () => {
    await expect(
      startProcess('main', service, { S3_ENDPOINT: 'nowhere', MEDIA_TOKEN_SECRET: 'short' }),
    ).rejects.toThrow(/ended with 1.*S3_ENDPOINT.*MEDIA_TOKEN_SECRET/s);
  });
});

describe('the worker process', () => {
  it('does not start with an engine whose server is missing', () => {
    const settings = { ...service.backing.settings, ...service.storeSettings, PORT: '0', SPEECH_ENGINE: 'openai' };
    expect(settingFaults(() => parseSettings(settingsOf('worker'), settings, engineRules))).toMatch(
      /^Invalid settings:\n {2}SPEECH_URL: /,
    );
  });

  it('does not start with a key that a server rejects', async () => {
    await using server = await startOpenAiServer(failure(403));
    const settings = { ASSESS_ENGINE: 'openai', ASSESS_MODEL: 'llama3.1', ASSESS_URL: server.url };
    await expect(startProcess('worker', service, { ...settings, ASSESS_API_KEY: 'wrong' })).rejects.toThrow(
      /ended with 1.*ASSESS_API_KEY: the server at .* does not accept it \(status 403\)/s,
    );
  });

  it("serves health and metrics while one engine's server is down and another's lists no models", async () => {
    await using server = await startOpenAiServer(failure(404));
    const down = { SPEECH_ENGINE: 'openai', SPEECH_URL: 'http://127.0.0.1:9/v1' };
    const unlisted = { ASSESS_ENGINE: 'openai', ASSESS_URL: server.url, ASSESS_MODEL: 'judge' };
    const worker = await startProcess('worker', service, { ...down, ...unlisted });
    expect((await fetch(`${worker.url}/healthz`)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${worker.url}/readyz`)).status).toBe(200);
    const room = await metric(worker.url, 'spool_disk_available_bytes');
    expect(room).toBeGreaterThan(0);
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
