import { describe, expect, it } from 'vitest';
import { checkOpenAiServer } from '../../src/engines/openai/openai-server.ts';
import { checkEngineServers, parseEngineSettings } from '../../src/engines/registry.ts';
import { failure, hang, json, type Reply, startOpenAiServer } from './openai-test-server.ts';

/** Checks a server with these replies to the model list and to an empty request to the endpoint. */
async function check(kind: 'SPEECH' | 'ASSESS', replies: Reply[], apiKey: string | undefined = 'a key') {
  await using server = await startOpenAiServer(...replies);
  await checkOpenAiServer(kind, { url: server.url, apiKey, model: 'whisper-1', timeoutMs: 1000 });
  return server.requests.map(({ method, path }) => `${method} ${path}`);
}

describe("checking an engine's server", () => {
  it.each([
    ['lists its models', [json({ object: 'list', data: [] })]],
    ['knows no such list, and refuses an empty request', [failure(404), failure(400)]],
    ['takes a key for the endpoint alone', [failure(403), failure(422)]],
    ['is overloaded', [failure(503), failure(401)]],
    ['asks to be left alone', [failure(429), failure(429)]],
    ['never answers', [hang]],
  ])('accepts one that %s', async (_what, replies) => {
    await expect(check('SPEECH', replies)).resolves.toBeDefined();
  });

  it.each([
    ['the list', [failure(401)]],
    ['the list and the endpoint', [failure(403), failure(403)]],
    ['the endpoint alone', [failure(404), failure(401)]],
  ])('rejects a key that %s rejects', async (_what, replies) => {
    for (const kind of ['SPEECH', 'ASSESS'] as const) {
      const message = expect.stringMatching(/^the server at .* does not accept it \(status 40[13]\)$/);
      await expect(check(kind, replies)).rejects.toMatchObject({ setting: `${kind}_API_KEY`, message });
    }
  });

  it('covers both configured engines', async () => {
    await using server = await startOpenAiServer(failure(401));
    const engines = {
      SPEECH: { SPEECH_ENGINE: 'openai', SPEECH_URL: server.url, SPEECH_API_KEY: 'wrong' },
      ASSESS: { ASSESS_ENGINE: 'openai', ASSESS_URL: server.url, ASSESS_API_KEY: 'wrong', ASSESS_MODEL: 'judge' },
    };
    for (const [kind, settings] of Object.entries(engines)) {
      const setting = `${kind}_API_KEY`;
      await expect(checkEngineServers(parseEngineSettings(settings))).rejects.toMatchObject({ setting });
    }
  });

  it('reports a missing key', async () => {
    const message = expect.stringContaining('asks for a key (status 401)');
    await expect(check('ASSESS', [failure(401)], '')).rejects.toMatchObject({ setting: 'ASSESS_API_KEY', message });
  });

  it('calls the endpoint that the engine uses', async () => {
    expect(await check('SPEECH', [failure(404), failure(400)])).toEqual([
      'GET /v1/models',
      'POST /v1/audio/transcriptions',
    ]);
    expect(await check('ASSESS', [failure(404), failure(400)])).toEqual([
      'GET /v1/models',
      'POST /v1/chat/completions',
    ]);
  });
});
