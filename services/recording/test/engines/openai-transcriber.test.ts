import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APIConnectionTimeoutError } from 'openai';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callServer } from '../../src/engines/openai/openai-server.ts';
import { createOpenAiTranscriber } from '../../src/engines/openai/openai-transcriber.ts';
import { measureSound } from '../../src/media/measure-sound.ts';
import { failure, formOf, hang, hangAfterHeaders, json, type Reply, startOpenAiServer } from './openai-test-server.ts';
import { ffmpeg, temporaryFolder, wavOf } from './spoken-answer.ts';

const timeoutMs = 5000;
const seconds = 3;

async function transcribe(
  replies: Reply[],
  options: { apiKey?: string; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  await using server = await startOpenAiServer(...replies);
  await using folder = await temporaryFolder();
  const wavPath = join(folder.path, 'sound.wav');
  await ffmpeg('-f', 'lavfi', '-t', String(seconds), '-i', 'sine=frequency=440:sample_rate=16000', wavPath);
  const { signal = new AbortController().signal, ...rest } = options;
  const transcriber = createOpenAiTranscriber({ url: server.url, model: 'whisper-1', timeoutMs, ...rest });
  const speech = [{ fromMs: 0, toMs: seconds * 1000 }];
  const request = { wavPath, speech, language: 'en', glossary: ['React', 'useState'], signal };
  const outcome = await transcriber.transcribe(request).then(
    (transcript) => ({ transcript, error: undefined }),
    (error: unknown) => ({ transcript: undefined, error }),
  );
  expect(await readdir(folder.path)).toEqual(['sound.wav']);
  return { ...outcome, requests: server.requests, wavBytes: (await stat(wavPath)).size };
}

const verbose = {
  task: 'transcribe',
  language: 'english',
  duration: 2,
  text: ' A hook lets you. ',
  words: [
    { word: 'A', start: 0, end: 0.2 },
    { word: 'hook', start: 0.25, end: 0.6 },
    { word: 'lets', start: 0.6, end: 1 },
    { word: 'you.', start: 1, end: 1.3 },
  ],
};

describe('openai transcriber', () => {
  it('sends the audio with model, language, prompt and key, and returns the words with their times', async () => {
    const { transcript, requests, wavBytes } = await transcribe([json(verbose)], { apiKey: 'secret' });
    expect(transcript).toEqual({
      text: 'A hook lets you.',
      words: [
        { word: 'A', startMs: 0, endMs: 200, confidence: null },
        { word: 'hook', startMs: 250, endMs: 600, confidence: null },
        { word: 'lets', startMs: 600, endMs: 1000, confidence: null },
        { word: 'you.', startMs: 1000, endMs: 1300, confidence: null },
      ],
      language: 'en',
      engine: 'openai whisper-1',
    });
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/audio/transcriptions' });
    expect(request?.headers.authorization).toBe('Bearer secret');
    const form = await formOf(request!);
    expect(Object.fromEntries([...form.entries()].filter(([name]) => name !== 'file'))).toEqual({
      model: 'whisper-1',
      language: 'en',
      prompt: 'React, useState',
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'segment',
    });
    expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment']);
    const file = form.get('file') as File;
    expect(file).toMatchObject({ name: 'recording.mp3', type: 'audio/mpeg' });

    // The same audio arrives, compressed so that an hour fits OpenAI's limit of 25 MB.
    await using folder = await temporaryFolder();
    const arrived = join(folder.path, 'arrived.mp3');
    await writeFile(arrived, Buffer.from(await file.arrayBuffer()));
    const heard = await measureSound(await wavOf(arrived, folder.path), new AbortController().signal);
    expect(Math.abs(heard.durationMs - seconds * 1000)).toBeLessThan(100);
    expect(Math.max(...heard.peaks)).toBe(1);
    expect((file.size / seconds) * 3600).toBeLessThan(25_000_000);
    expect(file.size).toBeLessThan(wavBytes / 4);
  });

  it('sends no Authorization header without a key', async () => {
    const { requests } = await transcribe([json(verbose)]);
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });

  it('reads words with probabilities from segments, as whisper.cpp returns them', async () => {
    const segments = [
      {
        text: ' A hook',
        start: 0,
        end: 1,
        words: [
          { word: ' A', start: 0, end: 0.2, probability: 0.9 },
          { word: ' hook', start: 0.2, end: 1, probability: 1.2 },
        ],
      },
    ];
    const { transcript } = await transcribe([json({ text: 'A hook', segments })]);
    expect(transcript?.words).toEqual([
      { word: 'A', startMs: 0, endMs: 200, confidence: 0.9 },
      { word: 'hook', startMs: 200, endMs: 1000, confidence: 1 },
    ]);
  });

  it("divides a segment's time among its words if the server returns no words", async () => {
    const { transcript } = await transcribe([
      json({ text: 'ab cdef', segments: [{ text: ' ab cdef', start: 1, end: 4 }] }),
    ]);
    expect(transcript?.words).toEqual([
      { word: 'ab', startMs: 1000, endMs: 2000, confidence: null },
      { word: 'cdef', startMs: 2000, endMs: 4000, confidence: null },
    ]);
  });

  it('accepts plain text from a model that does not support verbose_json', async () => {
    const { transcript, requests } = await transcribe([
      failure(400, {}, "response_format 'verbose_json' is not compatible with model"),
      json({ text: 'A hook.' }),
    ]);
    expect(transcript).toMatchObject({ text: 'A hook.', words: [] });
    expect((await formOf(requests[1]!)).get('response_format')).toBe('json');
  });

  it('leaves out what Whisper makes up in silence', async () => {
    const invented = { text: ' Thanks for watching!', start: 2, end: 4, no_speech_prob: 0.93, avg_logprob: -1.4 };
    const spoken = { text: ' A hook.', start: 0, end: 2, no_speech_prob: 0.01, avg_logprob: -0.2 };
    const { transcript } = await transcribe([
      json({ text: ' A hook. Thanks for watching!', segments: [spoken, invented] }),
    ]);
    expect(transcript?.text).toBe('A hook.');
    expect(transcript?.words.map(({ word }) => word)).toEqual(['A', 'hook.']);
  });

  it.each([
    [
      failure(429, { 'retry-after': '7' }),
      { permanent: false, retryAfterMs: 7000, message: 'The speech server is receiving too many requests.' },
    ],
    [failure(429), { permanent: false, retryAfterMs: null }],
    [failure(500), { permanent: false, message: 'The speech server failed (status 500).' }],
    [failure(503, { 'retry-after': '1' }), { permanent: false, retryAfterMs: 1000 }],
    [
      failure(400, {}, 'bad sound'),
      { permanent: true, message: 'The speech server refused the request (status 400).' },
    ],
    [failure(401), { permanent: true, message: 'The speech server did not accept its API key.' }],
    [failure(404), { permanent: true, message: 'The speech server does not know the address or the model.' }],
    [failure(413), { permanent: true, message: 'The speech server found the recording too large.' }],
    // A redirect is not followed.
    [
      failure(308, { location: '/elsewhere' }),
      { permanent: true, message: 'The speech server refused the request (status 308).' },
    ],
    [
      json({ result: 'something else' }),
      { permanent: true, message: 'The speech server did not return a transcript.' },
    ],
    [
      ((response) => response.destroy()) as Reply,
      { permanent: false, unreachable: false, message: 'The speech server cannot be reached.' },
    ],
  ])('reports a failure readably (%#)', async (reply, expected) => {
    const { error, requests } = await transcribe([reply]);
    expect(error).toMatchObject({ name: 'EngineError', ...expected });
    expect(requests).toHaveLength(1);
  });

  it('uses its own timeout instead of the default of fetch', async () => {
    const usual = getGlobalDispatcher();
    const impatient = new Agent({ headersTimeout: 200, bodyTimeout: 200 });
    setGlobalDispatcher(impatient);
    onTestFinished(async () => {
      setGlobalDispatcher(usual);
      await impatient.close();
    });
    const slow: Reply = (response, request) => setTimeout(json(verbose), 2000, response, request);
    expect((await transcribe([slow])).transcript?.text).toBe('A hook lets you.');
  });

  it('reports a failed connection as an unreachable server', async () => {
    const call = () => Promise.reject(new APIConnectionTimeoutError());
    const server = { url: 'http://127.0.0.1/v1', model: 'whisper-1', timeoutMs };
    await expect(callServer('It', server, new AbortController().signal, call)).rejects.toMatchObject({
      name: 'EngineError',
      permanent: false,
      unreachable: true,
      message: 'It did not answer in time.',
    });
  });

  it.each([
    ['before the answer', hang],
    ['within the answer', hangAfterHeaders],
  ])('gives up on a server that hangs %s', async (_, reply) => {
    const { error } = await transcribe([reply], { timeoutMs: 300 });
    expect(error).toMatchObject({
      name: 'EngineError',
      permanent: false,
      unreachable: false,
      message: 'The speech server did not answer in time.',
    });
  });

  it('passes on the reason why its job was aborted', async () => {
    const aborter = new AbortController();
    const stop: Reply = () => aborter.abort(new Error('the worker stops'));
    const { error } = await transcribe([stop], { signal: aborter.signal });
    expect(error).toMatchObject({ message: 'the worker stops' });
  });
});
